import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import type { EventType } from '#lib/core/shared/event/live-event.ts'
import { readEvents, type SessionRef } from '#lib/workshop/session/event-log.ts'
import type { RoomEvent } from '#lib/workshop/session/event-schema.ts'
import type { ChatAnswerView, ChatMessageState } from './schema.ts'
import { meetingMessage, meetingReaction } from './table.ts'

/** Event types that the chat is projected from. */
export const CHAT_EVENTS = [
  'message',
  'question',
  'messageShown',
  'messageDeleted',
  'messagePinned',
  'answer',
  'reaction',
] as const satisfies readonly EventType[]

/**
 * Projects new log entries into the chat tables, in the transaction that appended them: a constant number of
 * statements. Other event types are ignored.
 */
export async function projectChat(tx: Tx, { tenantId, id }: SessionRef, events: readonly RoomEvent[]): Promise<void> {
  const messages = events.filter((event) => event.type === 'message' || event.type === 'question')
  if (messages.length > 0)
    await tx
      .insert(meetingMessage)
      .values(messages.map((event) => ({ ...toMessageRow(event), tenantId, sessionId: id })))
      .onConflictDoNothing()
  for (const [change, ids] of groupChanges(events)) {
    await tx
      .update(meetingMessage)
      .set(CHANGES[change])
      .where(and(eq(meetingMessage.sessionId, id), inArray(meetingMessage.id, ids)))
  }
  for (const { messageId, answer } of collectAnswers(events)) {
    await tx
      .update(meetingMessage)
      .set({ answer })
      .where(and(eq(meetingMessage.sessionId, id), eq(meetingMessage.id, messageId)))
  }
  await projectReactions(tx, { tenantId, id }, events)
}

/** Rebuilds the chat of a session from its log. */
export async function rebuildChat(tx: Tx, session: SessionRef): Promise<void> {
  await tx.delete(meetingReaction).where(eq(meetingReaction.sessionId, session.id))
  await tx.delete(meetingMessage).where(eq(meetingMessage.sessionId, session.id))
  let after = 0
  for (;;) {
    const events = await readEvents(tx, session.id, { after, types: CHAT_EVENTS, reader: 'staff' })
    await projectChat(tx, session, events)
    const last = events.at(-1)
    if (!last) return
    after = last.seq
  }
}

type EventOf<T extends EventType> = Extract<RoomEvent, { type: T }>

function toMessageRow(event: EventOf<'message'> | EventOf<'question'>) {
  const { messageId, author, text, replyTo, holdReason } = event.payload
  const state: ChatMessageState =
    holdReason === null ? 'shown' : holdReason === 'premod' || holdReason === 'words' ? 'waiting' : ('private' as const)
  return {
    id: messageId,
    seq: event.seq,
    at: new Date(event.at),
    offsetMs: event.offsetMs,
    kind: event.type,
    state,
    holdReason,
    authorId: event.actorId,
    name: author.name,
    role: author.role,
    text,
    replyTo,
  }
}

const CHANGES = {
  show: { state: 'shown', holdReason: null },
  delete: { state: 'deleted', pinned: false },
  pin: { pinned: true },
  unpin: { pinned: false },
} as const
type Change = keyof typeof CHANGES

// One statement per kind of change, in this order: a shown message may have been deleted since, but not the reverse.
function groupChanges(events: readonly RoomEvent[]): [Change, string[]][] {
  const ids: Record<Change, Set<string>> = { pin: new Set(), unpin: new Set(), show: new Set(), delete: new Set() }
  for (const { type, payload } of events) {
    if (type === 'messageShown') ids.show.add(payload.messageId)
    if (type === 'messageDeleted') ids.delete.add(payload.messageId)
    if (type !== 'messagePinned') continue
    ids[payload.pinned ? 'pin' : 'unpin'].add(payload.messageId)
    ids[payload.pinned ? 'unpin' : 'pin'].delete(payload.messageId)
  }
  const order: Change[] = ['pin', 'unpin', 'show', 'delete']
  return order.flatMap((kind): [Change, string[]][] => (ids[kind].size > 0 ? [[kind, [...ids[kind]]]] : []))
}

function collectAnswers(events: readonly RoomEvent[]): { messageId: string; answer: ChatAnswerView }[] {
  return events.flatMap((event) => {
    if (event.type !== 'answer') return []
    const { messageId, text, author } = event.payload
    return [{ messageId, answer: { text, ...author, at: event.at, offsetMs: event.offsetMs } }]
  })
}

async function projectReactions(tx: Tx, { tenantId, id }: SessionRef, events: readonly RoomEvent[]): Promise<void> {
  const given = new Map<string, { messageId: string; personId: string; emoji: string; on: boolean }>()
  for (const event of events) {
    if (event.type !== 'reaction' || !event.actorId || !event.payload.messageId) continue
    const { messageId, emoji, on } = event.payload
    given.set(`${messageId} ${event.actorId} ${emoji}`, { messageId, personId: event.actorId, emoji, on })
  }
  if (given.size === 0) return
  const changes = [...given.values()]
  const added = changes.filter(({ on }) => on)
  if (added.length > 0)
    await tx
      .insert(meetingReaction)
      .values(added.map(({ on: _, ...reaction }) => ({ ...reaction, tenantId, sessionId: id })))
      .onConflictDoNothing()
  const removed = changes.filter(({ on }) => !on)
  const { messageId, personId, emoji, sessionId } = meetingReaction
  if (removed.length > 0)
    await tx.delete(meetingReaction).where(
      and(
        eq(sessionId, id),
        sql`(${messageId}, ${personId}, ${emoji}) in (${sql.join(
          removed.map(
            (reaction) => sql`(${reaction.messageId}::uuid, ${reaction.personId}::uuid, ${reaction.emoji}::text)`,
          ),
          sql`, `,
        )})`,
      ),
    )
  await updateReactionCounts(tx, id, [...new Set(changes.map((reaction) => reaction.messageId))])
}

async function updateReactionCounts(tx: Tx, id: string, messageIds: string[]): Promise<void> {
  const counts = sql`select coalesce(jsonb_object_agg(emoji, n), '{}'::jsonb) from (
    select r.emoji, count(*)::int as n from ${meetingReaction} r
    where r.session_id = ${id} and r.message_id = ${meetingMessage.id} group by r.emoji) counted`
  await tx
    .update(meetingMessage)
    .set({ reactions: sql`(${counts})` })
    .where(and(eq(meetingMessage.sessionId, id), inArray(meetingMessage.id, messageIds)))
}
