import { and, eq, inArray, max, sql } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { NewEvent } from '#lib/workshop/session/event-schema.ts'
import { workshopParticipant } from '#lib/workshop/session/event-table.ts'
import { workshopSession } from '#lib/workshop/table.ts'
import type { Judge } from '../batch.ts'
import { isStaff, judgeTalk, type Talker, type TalkRoom } from './rules.ts'
import { meetingMessage, meetingReaction } from './table.ts'

/**
 * What many say in one moment, judged under the lock of the log: mutes, slow mode and the queue hold whatever happens at
 * once. Three queries a batch. What the log has from the same person passes, so that saying it again is no second time.
 */
export const judgeMessages: Judge = async (tx, { id }, entries) => {
  const room = await roomOf(tx, id)
  const talkers = await talkersOf(
    tx,
    id,
    entries.map(({ event }) => event.actorId ?? ''),
  )
  const ids = entries.flatMap(({ event }) => (isTalk(event) ? [event.payload.messageId] : []))
  const known = await messagesOf(tx, id, ids)
  const owners = new Map([...known].map(([messageId, { authorId }]) => [messageId, authorId]))
  return entries.map(({ event, at }) => {
    if (!isTalk(event)) return event
    const { messageId, text } = event.payload
    const author = event.actorId ?? ''
    const owner = owners.get(messageId)
    if (owner !== undefined) return owner === author ? event : new Refusal('conflict')
    const talker = talkers.get(author)
    if (!talker) return new Refusal('unauthorized')
    const verdict = judgeTalk(talker, { kind: event.type, text }, room, at.getTime())
    if (!verdict.may) return refusalOf(verdict)
    owners.set(messageId, author)
    talkers.set(author, { ...talker, lastSaidAt: at.getTime() })
    if (verdict.held === null) return event
    const payload = { ...event.payload, held: verdict.held }
    return { ...event, payload, audience: 'person', personId: author }
  })
}

/** Reactions: each of each person counts once, and one that changes nothing is no event. Three queries a batch. */
export const judgeReactions: Judge = async (tx, { id }, entries) => {
  const people = entries.map(({ event }) => event.actorId ?? '')
  const ids = entries.flatMap(({ event }) => (event.type === 'reaction' ? (event.payload.messageId ?? []) : []))
  const talkers = await talkersOf(tx, id, people)
  const messages = await messagesOf(tx, id, ids)
  const given = await givenOf(tx, id, people, ids)
  const applauded = new Set<string>()
  return entries.map(({ event }) => {
    if (event.type !== 'reaction') return event
    const person = talkers.get(event.actorId ?? '')
    if (!person || person.banned) return new Refusal('forbidden', { data: { because: 'banned' } })
    const { messageId, emoji, on = true } = event.payload
    // A script's messages are not in the chat's table: what is given to them, or to the stage, has no row.
    const message = messageId ? messages.get(messageId) : undefined
    if (!message) {
      // However often somebody presses, the room sees it once a batch.
      const key = `${messageId} ${event.actorId} ${emoji}`
      if (applauded.has(key)) return null
      applauded.add(key)
      return event
    }
    const visible = message.state === 'shown' || isStaff(person.role) || message.authorId === person.personId
    if (!visible || message.state === 'deleted') return new Refusal('not_found')
    const key = `${messageId} ${person.personId} ${emoji}`
    if (given.has(key) === on) return null
    if (on) given.add(key)
    else given.delete(key)
    return message.state === 'shown' ? event : { ...event, audience: 'person', personId: message.authorId }
  })
}

type TalkEvent = Extract<NewEvent, { type: 'message' | 'question' }>

const isTalk = (event: NewEvent): event is TalkEvent => event.type === 'message' || event.type === 'question'

function refusalOf(verdict: Extract<ReturnType<typeof judgeTalk>, { may: false }>): Refusal {
  const { because, until, retryAfterSeconds } = verdict
  const data = { because, ...(until === null ? {} : { until }) }
  if (because !== 'slow') return new Refusal('forbidden', { data })
  const seconds = Math.max(1, retryAfterSeconds ?? 1)
  return new Refusal('too_many', {
    data: { ...data, retryAfterSeconds: seconds },
    variables: { seconds, count: seconds },
    retryAfterSeconds: seconds,
  })
}

async function roomOf(tx: Tx, id: string): Promise<TalkRoom> {
  const [session] = await tx
    .select({ kind: workshopSession.kind, state: workshopSession.state })
    .from(workshopSession)
    .where(eq(workshopSession.id, id))
  if (!session) throw new Refusal('not_found')
  return { kind: session.kind, phase: session.state.phase, chat: session.state.chat }
}

async function talkersOf(tx: Tx, id: string, people: readonly string[]): Promise<Map<string, Talker>> {
  const p = workshopParticipant
  const rows = await tx
    .select({
      personId: p.id,
      role: p.role,
      mutedUntil: p.mutedUntil,
      isolatedAt: p.isolatedAt,
      bannedAt: p.bannedAt,
      lastSaidAt: sql<Date | null>`(${tx
        .select({ at: max(meetingMessage.at) })
        .from(meetingMessage)
        .where(and(eq(meetingMessage.sessionId, id), eq(meetingMessage.authorId, p.id)))})`.mapWith(p.joinedAt),
    })
    .from(p)
    .where(and(eq(p.sessionId, id), inArray(p.id, [...people])))
  return new Map(
    rows.map(({ isolatedAt, bannedAt, mutedUntil, lastSaidAt, ...row }) => [
      row.personId,
      {
        ...row,
        mutedUntil: mutedUntil?.getTime() ?? null,
        lastSaidAt: lastSaidAt?.getTime() ?? null,
        isolated: isolatedAt !== null,
        banned: bannedAt !== null,
      },
    ]),
  )
}

async function messagesOf(tx: Tx, id: string, ids: string[]) {
  const { id: messageId, state, authorId } = meetingMessage
  const rows = await tx
    .select({ messageId, state, authorId })
    .from(meetingMessage)
    .where(and(eq(meetingMessage.sessionId, id), inArray(messageId, ids)))
  return new Map(rows.map((row) => [row.messageId, row]))
}

async function givenOf(tx: Tx, id: string, people: string[], messages: string[]): Promise<Set<string>> {
  if (messages.length === 0) return new Set()
  const { messageId, personId, emoji, sessionId } = meetingReaction
  const rows = await tx
    .select({ messageId, personId, emoji })
    .from(meetingReaction)
    .where(and(eq(sessionId, id), inArray(messageId, messages), inArray(personId, people)))
  return new Set(rows.map((row) => `${row.messageId} ${row.personId} ${row.emoji}`))
}
