import { inTenant } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Author, HoldReason } from '#lib/workshop/session/event-schema.ts'
import { type RoomParticipant, requireSeat } from '../admission/seat.ts'
import { appendInBatch } from '../batch.ts'
import { checkMessages, checkReactions } from './check-message.ts'
import { readMessage } from './read.ts'
import { canActInChat, isStaff } from './rules.ts'
import { type MessageState, React, SendMessage } from './schema.ts'

/** What became of a message, for its author. */
export interface SentMessageView {
  messageId: string
  seq: number
  state: MessageState
  held: HoldReason | null
  /** Milliseconds since 1970, and since the start of the session. */
  at: number
  offsetMs: number
}

/**
 * Says a message or asks a question in the room. The same messageId again is the same message. Answers after the commit.
 * Refuses with unauthorized, forbidden (`data.because`, see TALK_REFUSALS), too_many in slow mode (`retryAfterSeconds`),
 * conflict when the id is another's message.
 */
export async function sendMessage(input: SendMessage): Promise<SentMessageView> {
  const { ticket, messageId, kind, text, replyTo } = SendMessage.parse(input)
  const sitting = await requireSeat(ticket)
  const content = { messageId, author: authorOf(sitting), text, replyTo }
  const author = { actorId: sitting.personId, clientId: messageId }
  const event = await appendInBatch(toSessionRef(sitting), { type: kind, ...author, payload: content }, checkMessages)
  if (event?.type !== 'message' && event?.type !== 'question') return readSentMessage(sitting, messageId)
  const { seq, at, offsetMs, payload } = event
  const { held } = payload
  const state = held === null ? 'shown' : held === 'premod' || held === 'words' ? 'waiting' : 'private'
  return { messageId, seq, state, held, at, offsetMs }
}

/** Gives a message a reaction or takes it back; votes for a question; or applauds the stage. Refuses with not_found. */
export async function addReaction(input: React): Promise<void> {
  const { ticket, messageId, emoji, on } = React.parse(input)
  const sitting = await requireSeat(ticket)
  const event = { type: 'reaction', actorId: sitting.personId, payload: { messageId, emoji, on } } as const
  await appendInBatch(toSessionRef(sitting), event, checkReactions)
}

/** The name that stands beside what somebody says. */
export const authorOf = ({ profile: participant, role }: RoomParticipant): Author => ({ name: participant.name, role })

export const toSessionRef = ({ tenantId, sessionId }: RoomParticipant) => ({ tenantId, id: sessionId })

export const toChatReader = ({ sessionId, personId, role }: RoomParticipant) => ({
  sessionId,
  personId,
  isStaff: isStaff(role),
})

/** Lets pass who sits in the room and may do that. Refuses with unauthorized, forbidden. */
export async function requireChatAct(
  ticket: string,
  act: Parameters<typeof canActInChat>[1],
): Promise<RoomParticipant> {
  const sitting = await requireSeat(ticket)
  const { allow, because } = canActInChat({ role: sitting.role, banned: false }, act)
  if (!allow) throw new Refusal('forbidden', { data: { because } })
  return sitting
}

async function readSentMessage(sitting: RoomParticipant, messageId: string): Promise<SentMessageView> {
  const message = await inTenant(sitting, (tx) => readMessage(tx, toChatReader(sitting), messageId))
  if (!message) throw new Refusal('gone')
  const { seq, state, held, at, offsetMs } = message
  return { messageId, seq, state, held, at, offsetMs }
}
