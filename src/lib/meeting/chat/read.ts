import { and, asc, desc, eq, gte, inArray, isNull, lt, ne, or, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { z } from 'zod'
import type { Tx } from '#lib/core/db/db.ts'
import { matchesSearch } from '#lib/core/db/search.ts'
import { readCursor, writeCursor } from '#lib/core/http/cursor.ts'
import { int4 } from '#lib/core/shared/int4.ts'
import { type ChatMessageView, type ListChatMessages, MESSAGE_PAGE_SIZE, REPLAY_PAGE_SIZE, UPVOTE } from './schema.ts'
import { meetingMessage, meetingReaction } from './table.ts'

/** Reader of a chat: a viewer sees shown messages and their own, staff see all that are not deleted. */
export interface ChatReader {
  sessionId: string
  personId: string
  isStaff: boolean
}

/** Position in the chat: the sequence number of the oldest message of a page. */
const MessageKey = z.object({ seq: int4 })

/** Cursor of the page after one with the newest message first; null when it is the last. */
export function nextMessageCursor(page: readonly ChatMessageView[]): string | null {
  const oldest = page.length < MESSAGE_PAGE_SIZE ? undefined : page.at(-1)
  return oldest ? writeCursor(MessageKey, oldest) : null
}

/**
 * The latest messages and questions, oldest first, without those that wait for approval, and the cursor of the older
 * ones.
 */
export async function listRecentMessages(
  tx: Tx,
  reader: ChatReader,
): Promise<{ messages: ChatMessageView[]; next: string | null }> {
  const where = reader.isStaff ? notWaiting(reader) : undefined
  const page = await selectMessages(tx, reader, { where, most: MESSAGE_PAGE_SIZE })
  return { messages: page.toReversed(), next: nextMessageCursor(page) }
}

export type MessageFilter = Pick<Required<ListChatMessages>, 'kind' | 'state' | 'sort'> & {
  cursor?: string | undefined
  fromMs?: number | undefined
}

/**
 * A page of messages, the newest first, or questions by their votes. `state` is for the staff alone. Refuses with invalid
 * for a cursor of another list.
 */
export async function readChatMessages(tx: Tx, reader: ChatReader, filter: MessageFilter): Promise<ChatMessageView[]> {
  const { kind, state, sort, cursor, fromMs } = filter
  const where = and(
    isOlderThan(cursor),
    kind === 'all' ? undefined : eq(meetingMessage.kind, kind),
    fromMs === undefined ? undefined : gte(meetingMessage.offsetMs, fromMs),
    sort === 'open' ? isNull(meetingMessage.answer) : undefined,
    reader.isStaff ? (state === 'all' ? notWaiting(reader) : eq(meetingMessage.state, state)) : undefined,
  )
  if (fromMs !== undefined)
    return selectMessages(tx, reader, {
      where,
      most: REPLAY_PAGE_SIZE,
      order: [asc(meetingMessage.offsetMs), asc(meetingMessage.seq)],
    })
  return sort === 'top'
    ? selectMessages(tx, reader, { where, most: TOP_QUESTIONS_LIMIT, order: TOP_FIRST })
    : selectMessages(tx, reader, { where, most: MESSAGE_PAGE_SIZE })
}

/** A page of messages whose text or author's name matches the search, newest first. */
export async function searchMessages(tx: Tx, reader: ChatReader, search: string, cursor?: string) {
  const where = and(isOlderThan(cursor), matchesSearch(search, meetingMessage.text, meetingMessage.name))
  return selectMessages(tx, reader, { where, most: MESSAGE_PAGE_SIZE })
}

/** One message as the reader sees it; null when it is not visible to them. */
export async function readMessage(tx: Tx, reader: ChatReader, messageId: string): Promise<ChatMessageView | null> {
  const [row] = await selectMessages(tx, reader, { where: eq(meetingMessage.id, messageId), most: 1 })
  return row ?? null
}

const TOP_QUESTIONS_LIMIT = 100
const NEWEST_FIRST = [desc(meetingMessage.seq)]
const TOP_FIRST = [desc(sql`coalesce((${meetingMessage.reactions}->>${UPVOTE})::int, 0)`), ...NEWEST_FIRST]
const answered = alias(meetingMessage, 'answered')

function isOlderThan(cursor: string | undefined): SQL | undefined {
  const key = readCursor(MessageKey, cursor)
  return key ? lt(meetingMessage.seq, key.seq) : undefined
}

const notWaiting = ({ personId }: ChatReader): SQL | undefined =>
  or(ne(meetingMessage.state, 'waiting'), eq(meetingMessage.authorId, personId))

async function selectMessages(
  tx: Tx,
  reader: ChatReader,
  { where, most, order = NEWEST_FIRST }: { where: SQL | undefined; most: number; order?: SQL[] },
): Promise<ChatMessageView[]> {
  const { sessionId, personId, isStaff: staff } = reader
  const seen = (table: typeof meetingMessage | typeof answered) =>
    staff ? ne(table.state, 'deleted') : or(eq(table.state, 'shown'), isOwnMessage(table, personId))
  const m = meetingMessage
  const rows = await tx
    .select({
      messageId: m.id,
      seq: m.seq,
      kind: m.kind,
      state: m.state,
      holdReason: m.holdReason,
      at: m.at,
      offsetMs: m.offsetMs,
      authorId: m.authorId,
      name: m.name,
      role: m.role,
      text: m.text,
      replyTo: m.replyTo,
      reactions: m.reactions,
      answer: m.answer,
      replyName: answered.name,
      replyText: sql<string | null>`left(${answered.text}, 160)`,
    })
    .from(m)
    .leftJoin(answered, and(eq(answered.sessionId, m.sessionId), eq(answered.id, m.replyTo), seen(answered)))
    .where(and(eq(m.sessionId, sessionId), seen(m), where))
    .orderBy(...order)
    .limit(most)
  const ownReactions = await readOwnReactions(
    tx,
    reader,
    rows.map(({ messageId }) => messageId),
  )
  return rows.map(({ replyName, replyText, at, ...row }) => ({
    ...row,
    at: at.getTime(),
    reply: replyName === null ? null : { name: replyName, text: replyText ?? '' },
    ownReactions: ownReactions.get(row.messageId) ?? [],
  }))
}

const isOwnMessage = (table: typeof meetingMessage | typeof answered, personId: string): SQL | undefined =>
  and(eq(table.authorId, personId), ne(table.state, 'deleted'))

async function readOwnReactions(
  tx: Tx,
  { sessionId, personId }: ChatReader,
  ids: string[],
): Promise<Map<string, string[]>> {
  const reactions = new Map<string, string[]>()
  if (ids.length === 0) return reactions
  const rows = await tx
    .select({ messageId: meetingReaction.messageId, emoji: meetingReaction.emoji })
    .from(meetingReaction)
    .where(
      and(
        eq(meetingReaction.sessionId, sessionId),
        eq(meetingReaction.personId, personId),
        inArray(meetingReaction.messageId, ids),
      ),
    )
  for (const { messageId, emoji } of rows) reactions.set(messageId, [...(reactions.get(messageId) ?? []), emoji])
  return reactions
}
