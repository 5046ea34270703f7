import { inTenant } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { EventAuthor, HoldReason } from '#lib/workshop/session/event-schema.ts'
import { type RoomParticipant, requireSeat } from '../admission/seat.ts'
import { appendInBatch } from '../batch.ts'
import { checkMessages, checkReactions } from './check-message.ts'
import { readMessage } from './read.ts'
import { canActInChat, isStaff } from './rules.ts'
import type { ChatMessageState, ReactToMessage, SendChatMessage } from './schema.ts'

/** The sent message as its author sees it. */
export interface SentMessageView {
  messageId: string
  seq: number
  state: ChatMessageState
  holdReason: HoldReason | null
  /** Milliseconds since 1970, and since the start of the session. */
  at: number
  offsetMs: number
}

/**
 * Sends a message or asks a question. The same messageId again is the same message. Resolves after the commit. Refuses
 * with unauthorized, forbidden (`data.reason`, see MESSAGE_REFUSALS), too_many in slow mode (`retryAfterSeconds`), and
 * conflict when the id belongs to another participant's message.
 */
export async function sendChatMessage(input: SendChatMessage): Promise<SentMessageView> {
  const { seatToken, messageId, kind, text, replyTo } = input
  const participant = await requireSeat(seatToken)
  const content = { messageId, author: authorOf(participant), text, replyTo }
  const author = { actorId: participant.personId, clientId: messageId }
  const event = await appendInBatch(
    toSessionRef(participant),
    { type: kind, ...author, payload: content },
    checkMessages,
  )
  if (event?.type !== 'message' && event?.type !== 'question') return readSentMessage(participant, messageId)
  const { seq, at, offsetMs, payload } = event
  const { holdReason } = payload
  const state =
    holdReason === null ? 'shown' : holdReason === 'premod' || holdReason === 'words' ? 'waiting' : 'private'
  return { messageId, seq, state, holdReason, at, offsetMs }
}

/**
 * Adds or removes a reaction to a message, a vote for a question, or applause for the stage. Refuses with not_found.
 */
export async function addReaction(input: ReactToMessage): Promise<void> {
  const { seatToken, messageId, emoji, on } = input
  const participant = await requireSeat(seatToken)
  const event = { type: 'reaction', actorId: participant.personId, payload: { messageId, emoji, on } } as const
  await appendInBatch(toSessionRef(participant), event, checkReactions)
}

/** Author of a message as it is stored with it. */
export const authorOf = ({ profile: participant, role }: RoomParticipant): EventAuthor => ({
  name: participant.name,
  role,
})

const toSessionRef = ({ tenantId, sessionId }: RoomParticipant) => ({ tenantId, id: sessionId })

export const toChatReader = ({ sessionId, personId, role }: RoomParticipant) => ({
  sessionId,
  personId,
  isStaff: isStaff(role),
})

/** Requires a participant who may perform the action. Refuses with unauthorized, forbidden. */
export async function requireChatAction(
  seatToken: string,
  action: Parameters<typeof canActInChat>[1],
): Promise<RoomParticipant> {
  const participant = await requireSeat(seatToken)
  const { allow, reason } = canActInChat({ role: participant.role, banned: false }, action)
  if (!allow) throw new Refusal('forbidden', { data: { reason } })
  return participant
}

async function readSentMessage(participant: RoomParticipant, messageId: string): Promise<SentMessageView> {
  const message = await inTenant(participant, (tx) => readMessage(tx, toChatReader(participant), messageId))
  if (!message) throw new Refusal('gone')
  const { seq, state, holdReason, at, offsetMs } = message
  return { messageId, seq, state, holdReason, at, offsetMs }
}
