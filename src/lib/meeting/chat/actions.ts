import { and, eq } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { NewEvent } from '#lib/workshop/session/event-schema.ts'
import { workshopSession } from '#lib/workshop/table.ts'
import type { RoomParticipant } from '../admission/seat.ts'
import { appendAndPublish } from '../publish-events.ts'
import { DELETE_OWN_LIMIT_MS, isStaff } from './rules.ts'
import type { AnswerQuestion, ChatMessageId, PinMessage, SetAnswering } from './schema.ts'
import { authorOf, requireChatAction } from './send-message.ts'
import { meetingMessage } from './table.ts'

/** Pins a message for all participants, or unpins it. Refuses with forbidden, not_found. */
export async function pinMessage(input: PinMessage): Promise<void> {
  const { seatToken, messageId, pinned } = input
  const participant = await requireChatAction(seatToken, 'pin')
  await updateRoomMessage(participant, messageId, ({ state, text, name, role, pinned: wasPinned }) => {
    if (state !== 'shown') throw new Refusal('not_found')
    if (wasPinned === pinned) return []
    const author = { name, role }
    return [{ type: 'messagePinned', actorId: participant.personId, payload: { messageId, pinned, text, author } }]
  })
}

/** Deletes a message: staff any, the author within five minutes. Refuses with forbidden, not_found. */
export async function deleteMessage(input: ChatMessageId, now = new Date()): Promise<void> {
  const { seatToken, messageId } = input
  const participant = await requireChatAction(seatToken, 'deleteOwn')
  const { personId, role } = participant
  await updateRoomMessage(participant, messageId, (message) => {
    const isOwn = message.authorId === personId
    if (!isStaff(role) && !isOwn) throw new Refusal(message.state === 'shown' ? 'forbidden' : 'not_found')
    if (message.state === 'deleted') return []
    if (!isStaff(role) && now.getTime() - message.at.getTime() > DELETE_OWN_LIMIT_MS)
      throw new Refusal('forbidden', { data: { reason: 'too_late' } })
    return [{ type: 'messageDeleted', actorId: personId, ...audienceOf(message), payload: { messageId } }]
  })
}

/** Approves a message; it appears at its original time. Refuses with forbidden, not_found. */
export async function approveMessage(input: ChatMessageId): Promise<void> {
  const { seatToken, messageId } = input
  const participant = await requireChatAction(seatToken, 'approve')
  await updateRoomMessage(
    participant,
    messageId,
    ({ state, kind, authorId, name, role, text, replyTo, at, offsetMs }) => {
      if (state === 'shown') return []
      if (state !== 'waiting') throw new Refusal('not_found')
      const originalTime = { at: at.getTime(), offsetMs }
      const payload = { messageId, kind, authorId, author: { name, role }, text, replyTo, originalTime }
      return [{ type: 'messageShown', actorId: participant.personId, payload }]
    },
  )
}

/** Sets the question that is being answered now; null: none. Refuses with forbidden, not_found. */
export async function setAnswering(input: SetAnswering): Promise<void> {
  const { seatToken, messageId } = input
  const participant = await requireChatAction(seatToken, 'answer')
  const event = { type: 'question.now', actorId: participant.personId, payload: { messageId } } as const
  if (messageId)
    await updateRoomMessage(participant, messageId, (message) => {
      requireQuestion(message)
      return [event]
    })
  else await inTenant(participant, (tx) => appendAndPublish(tx, participant, [event]))
}

/** Answers a question in writing, or marks it as answered aloud (empty text). Refuses with forbidden, not_found. */
export async function answerQuestion(input: AnswerQuestion): Promise<void> {
  const { seatToken, messageId, text } = input
  const participant = await requireChatAction(seatToken, 'answer')
  const author = authorOf(participant)
  await updateRoomMessage(participant, messageId, (message) => {
    requireQuestion(message)
    const payload = { messageId, text, author }
    return [{ type: 'answer', actorId: participant.personId, ...audienceOf(message), payload }]
  })
}

type Message = typeof meetingMessage.$inferSelect

/** Locks the event log of the session until the end of the transaction. Refuses with not_found. */
export async function lockEventLog(tx: Tx, { sessionId }: RoomParticipant): Promise<void> {
  const locked = await tx
    .select({ id: workshopSession.id })
    .from(workshopSession)
    .where(eq(workshopSession.id, sessionId))
    .for('no key update')
  if (locked.length === 0) throw new Refusal('not_found')
}

function requireQuestion({ kind, state }: Message): void {
  if (kind !== 'question' || state === 'deleted') throw new Refusal('not_found')
}

// A message that only its author and staff see stays with them in later events too.
const audienceOf = ({ state, authorId }: Message) =>
  state === 'shown' ? {} : { audience: 'person' as const, personId: authorId }

// The log is locked first, as in a batch: two actions on one message run one after the other.
async function updateRoomMessage(
  participant: RoomParticipant,
  messageId: string,
  buildEvents: (message: Message) => NewEvent[],
): Promise<void> {
  await inTenant(participant, async (tx) => {
    await lockEventLog(tx, participant)
    const events = buildEvents(await findMessage(tx, participant, messageId))
    if (events.length > 0) await appendAndPublish(tx, participant, events)
  })
}

async function findMessage(tx: Tx, { sessionId }: RoomParticipant, messageId: string): Promise<Message> {
  const [message] = await tx
    .select()
    .from(meetingMessage)
    .where(and(eq(meetingMessage.sessionId, sessionId), eq(meetingMessage.id, messageId)))
  if (!message) throw new Refusal('not_found')
  return message
}
