import { and, asc, desc, eq, gte, inArray, isNull, lt, ne, or, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Tx } from '#lib/core/db/db.ts'
import { matchesSearch } from '#lib/core/db/search.ts'
import { type ListMessages, MESSAGE_PAGE_SIZE, type MessageView, REPLAY_PAGE_SIZE, UPVOTE } from './schema.ts'
import { meetingMessage, meetingReaction } from './table.ts'

/** Reader of a chat: a viewer sees shown messages and their own, staff see all that are not deleted. */
export interface ChatReader {
  sessionId: string
  personId: string
  isStaff: boolean
}

/** The latest messages and questions, oldest first, without those that wait for approval. */
export async function listRecentMessages(
  tx: Tx,
  reader: ChatReader,
  limit = MESSAGE_PAGE_SIZE,
): Promise<MessageView[]> {
  const rows = await selectMessages(tx, reader, { where: reader.isStaff ? notWaiting(reader) : undefined, most: limit })
  return rows.reverse()
}

export type MessageFilter = Pick<Required<ListMessages>, 'kind' | 'state' | 'sort'> & {
  before?: number | undefined
  fromMs?: number | undefined
}

/** A page of messages, the newest first, or questions by their votes. `state` is for the staff alone. */
export async function readMessages(tx: Tx, reader: ChatReader, filter: MessageFilter): Promise<MessageView[]> {
  const { kind, state, sort, before, fromMs } = filter
  const where = and(
    before ? lt(meetingMessage.seq, before) : undefined,
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
export async function searchMessages(tx: Tx, reader: ChatReader, search: string, before?: number) {
  const where = and(
    before ? lt(meetingMessage.seq, before) : undefined,
    matchesSearch(search, meetingMessage.text, meetingMessage.name),
  )
  return selectMessages(tx, reader, { where, most: MESSAGE_PAGE_SIZE })
}

/** One message as the reader sees it; null when it is not visible to them. */
export async function readMessage(tx: Tx, reader: ChatReader, messageId: string): Promise<MessageView | null> {
  const [found] = await selectMessages(tx, reader, { where: eq(meetingMessage.id, messageId), most: 1 })
  return found ?? null
}

const TOP_QUESTIONS_LIMIT = 100
const NEWEST_FIRST = [desc(meetingMessage.seq)]
const TOP_FIRST = [desc(sql`coalesce((${meetingMessage.reactions}->>${UPVOTE})::int, 0)`), ...NEWEST_FIRST]
const answered = alias(meetingMessage, 'answered')

const notWaiting = ({ personId }: ChatReader): SQL | undefined =>
  or(ne(meetingMessage.state, 'waiting'), eq(meetingMessage.authorId, personId))

async function selectMessages(
  tx: Tx,
  reader: ChatReader,
  { where, most, order = NEWEST_FIRST }: { where: SQL | undefined; most: number; order?: SQL[] },
): Promise<MessageView[]> {
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
      held: m.held,
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
  const mine = new Map<string, string[]>()
  if (ids.length === 0) return mine
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
  for (const { messageId, emoji } of rows) mine.set(messageId, [...(mine.get(messageId) ?? []), emoji])
  return mine
}
