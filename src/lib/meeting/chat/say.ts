import { inTenant } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Author, Held } from '#lib/workshop/session/event-schema.ts'
import { mustSit, type Sitting } from '../admission/seat.ts'
import { appendInBatch } from '../batch.ts'
import { judgeMessages, judgeReactions } from './check-message.ts'
import { readMessage } from './read.ts'
import { isStaff, mayInChat } from './rules.ts'
import { type MessageState, React, Say } from './schema.ts'

/** What became of a message, for its author. */
export interface SaidView {
  messageId: string
  seq: number
  state: MessageState
  held: Held | null
  /** Milliseconds since 1970, and since the start of the session. */
  at: number
  offsetMs: number
}

/**
 * Says a message or asks a question in the room. The same messageId again is the same message. Answers after the commit.
 * Refuses with unauthorized, forbidden (`data.because`, see TALK_REFUSALS), too_many in slow mode (`retryAfterSeconds`),
 * conflict when the id is another's message.
 */
export async function sayInRoom(input: Say): Promise<SaidView> {
  const { ticket, messageId, kind, text, replyTo } = Say.parse(input)
  const sitting = await mustSit(ticket)
  const words = { messageId, author: authorOf(sitting), text, replyTo }
  const by = { actorId: sitting.personId, clientId: messageId }
  const event = await appendInBatch(sessionOf(sitting), { type: kind, ...by, payload: words }, judgeMessages)
  if (event?.type !== 'message' && event?.type !== 'question') return saidBefore(sitting, messageId)
  const { seq, at, offsetMs, payload } = event
  const { held } = payload
  const state = held === null ? 'shown' : held === 'premod' || held === 'words' ? 'waiting' : 'private'
  return { messageId, seq, state, held, at, offsetMs }
}

/** Gives a message a reaction or takes it back; votes for a question; or applauds the stage. Refuses with not_found. */
export async function reactInRoom(input: React): Promise<void> {
  const { ticket, messageId, emoji, on } = React.parse(input)
  const sitting = await mustSit(ticket)
  const event = { type: 'reaction', actorId: sitting.personId, payload: { messageId, emoji, on } } as const
  await appendInBatch(sessionOf(sitting), event, judgeReactions)
}

/** The name that stands beside what somebody says. */
export const authorOf = ({ participant, role }: Sitting): Author => ({ name: participant.name, role })

export const sessionOf = ({ tenantId, sessionId }: Sitting) => ({ tenantId, id: sessionId })

export const readerOf = ({ sessionId, personId, role }: Sitting) => ({ sessionId, personId, staff: isStaff(role) })

/** Lets pass who sits in the room and may do that. Refuses with unauthorized, forbidden. */
export async function mustChat(ticket: string, act: Parameters<typeof mayInChat>[1]): Promise<Sitting> {
  const sitting = await mustSit(ticket)
  const { allow, because } = mayInChat({ role: sitting.role, banned: false }, act)
  if (!allow) throw new Refusal('forbidden', { data: { because } })
  return sitting
}

async function saidBefore(sitting: Sitting, messageId: string): Promise<SaidView> {
  const known = await inTenant(sitting, (tx) => readMessage(tx, readerOf(sitting), messageId))
  if (!known) throw new Refusal('gone')
  const { seq, state, held, at, offsetMs } = known
  return { messageId, seq, state, held, at, offsetMs }
}
