import { and, eq, inArray, max, sql } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { NewEvent } from '#lib/workshop/session/event-schema.ts'
import { workshopParticipant } from '#lib/workshop/session/event-table.ts'
import { workshopSession } from '#lib/workshop/table.ts'
import type { BatchCheck } from '../batch.ts'
import { type ChatParticipant, type ChatRoom, checkChatMessage, isStaff } from './rules.ts'
import { meetingMessage, meetingReaction } from './table.ts'

/**
 * Checks the messages of a batch under the lock of the log, so that mutes, slow mode and the approval queue hold for
 * simultaneous messages. Three queries per batch. A message that the log already has from the same participant passes:
 * sending is idempotent.
 */
export const checkMessages: BatchCheck = async (tx, { id }, entries) => {
  const room = await readChatRoom(tx, id)
  const participants = await readChatParticipants(
    tx,
    id,
    entries.map(({ event }) => event.actorId ?? ''),
  )
  const messageIds = entries.flatMap(({ event }) => (isChatMessage(event) ? [event.payload.messageId] : []))
  const existing = await readMessageAuthors(tx, id, messageIds)
  const owners = new Map([...existing].map(([messageId, { authorId }]) => [messageId, authorId]))
  return entries.map(({ event, at }) => {
    if (!isChatMessage(event)) return event
    const { messageId, text } = event.payload
    const author = event.actorId ?? ''
    const owner = owners.get(messageId)
    if (owner !== undefined) return owner === author ? event : new Refusal('conflict')
    const participant = participants.get(author)
    if (!participant) return new Refusal('unauthorized')
    const verdict = checkChatMessage(participant, { kind: event.type, text }, room, at.getTime())
    if (!verdict.isAllowed) return toRefusal(verdict)
    owners.set(messageId, author)
    participants.set(author, { ...participant, lastMessageAt: at.getTime() })
    if (verdict.holdReason === null) return event
    const payload = { ...event.payload, holdReason: verdict.holdReason }
    return { ...event, payload, audience: 'person', personId: author }
  })
}

/**
 * Checks the reactions of a batch: one per participant, message and emoji; a reaction without a change is no event.
 * Three queries per batch.
 */
export const checkReactions: BatchCheck = async (tx, { id }, entries) => {
  const personIds = entries.map(({ event }) => event.actorId ?? '')
  const messageIds = entries.flatMap(({ event }) => (event.type === 'reaction' ? (event.payload.messageId ?? []) : []))
  const participants = await readChatParticipants(tx, id, personIds)
  const messages = await readMessageAuthors(tx, id, messageIds)
  const reactions = await readReactions(tx, id, personIds, messageIds)
  const publishedReactions = new Set<string>()
  return entries.map(({ event }) => {
    if (event.type !== 'reaction') return event
    const participant = participants.get(event.actorId ?? '')
    if (!participant || participant.banned) return new Refusal('forbidden', { data: { reason: 'banned' } })
    const { messageId, emoji, on = true } = event.payload
    // Reactions to script messages and to the stage have no row in the chat's table.
    const message = messageId ? messages.get(messageId) : undefined
    if (!message) {
      // Repeated reactions of one participant are published once per batch.
      const key = `${messageId} ${event.actorId} ${emoji}`
      if (publishedReactions.has(key)) return null
      publishedReactions.add(key)
      return event
    }
    const visible = message.state === 'shown' || isStaff(participant.role) || message.authorId === participant.personId
    if (!visible || message.state === 'deleted') return new Refusal('not_found')
    const key = `${messageId} ${participant.personId} ${emoji}`
    if (reactions.has(key) === on) return null
    if (on) reactions.add(key)
    else reactions.delete(key)
    return message.state === 'shown' ? event : { ...event, audience: 'person', personId: message.authorId }
  })
}

type ChatMessageEvent = Extract<NewEvent, { type: 'message' | 'question' }>

const isChatMessage = (event: NewEvent): event is ChatMessageEvent =>
  event.type === 'message' || event.type === 'question'

function toRefusal(verdict: Extract<ReturnType<typeof checkChatMessage>, { isAllowed: false }>): Refusal {
  const { reason, until, retryAfterSeconds } = verdict
  const data = { reason, ...(until === null ? {} : { until }) }
  if (reason !== 'slow') return new Refusal('forbidden', { data })
  const seconds = Math.max(1, retryAfterSeconds ?? 1)
  return new Refusal('too_many', {
    data: { ...data, retryAfterSeconds: seconds },
    variables: { seconds, count: seconds },
    retryAfterSeconds: seconds,
  })
}

async function readChatRoom(tx: Tx, id: string): Promise<ChatRoom> {
  const [session] = await tx
    .select({ kind: workshopSession.kind, state: workshopSession.state })
    .from(workshopSession)
    .where(eq(workshopSession.id, id))
  if (!session) throw new Refusal('not_found')
  return { kind: session.kind, phase: session.state.phase, chat: session.state.chat }
}

async function readChatParticipants(
  tx: Tx,
  id: string,
  personIds: readonly string[],
): Promise<Map<string, ChatParticipant>> {
  const p = workshopParticipant
  const rows = await tx
    .select({
      personId: p.id,
      role: p.role,
      mutedUntil: p.mutedUntil,
      isolatedAt: p.isolatedAt,
      bannedAt: p.bannedAt,
      lastMessageAt: sql<Date | null>`(${tx
        .select({ at: max(meetingMessage.at) })
        .from(meetingMessage)
        .where(and(eq(meetingMessage.sessionId, id), eq(meetingMessage.authorId, p.id)))})`.mapWith(p.joinedAt),
    })
    .from(p)
    .where(and(eq(p.sessionId, id), inArray(p.id, [...personIds])))
  return new Map(
    rows.map(({ isolatedAt, bannedAt, mutedUntil, lastMessageAt, ...row }) => [
      row.personId,
      {
        ...row,
        mutedUntil: mutedUntil?.getTime() ?? null,
        lastMessageAt: lastMessageAt?.getTime() ?? null,
        isolated: isolatedAt !== null,
        banned: bannedAt !== null,
      },
    ]),
  )
}

async function readMessageAuthors(tx: Tx, id: string, messageIds: string[]) {
  const { id: messageId, state, authorId } = meetingMessage
  const rows = await tx
    .select({ messageId, state, authorId })
    .from(meetingMessage)
    .where(and(eq(meetingMessage.sessionId, id), inArray(messageId, messageIds)))
  return new Map(rows.map((row) => [row.messageId, row]))
}

async function readReactions(tx: Tx, id: string, personIds: string[], messageIds: string[]): Promise<Set<string>> {
  if (messageIds.length === 0) return new Set()
  const { messageId, personId, emoji, sessionId } = meetingReaction
  const rows = await tx
    .select({ messageId, personId, emoji })
    .from(meetingReaction)
    .where(and(eq(sessionId, id), inArray(messageId, messageIds), inArray(personId, personIds)))
  return new Set(rows.map((row) => `${row.messageId} ${row.personId} ${row.emoji}`))
}
