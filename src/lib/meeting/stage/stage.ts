import { and, eq } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Locale } from '#lib/core/shared/locale.ts'
import { requireAllowed } from '#lib/workshop/permission.ts'
import { hasRight } from '#lib/workshop/rules.ts'
import type { LiveStream, NewEvent } from '#lib/workshop/session/event-schema.ts'
import { workshopParticipant } from '#lib/workshop/session/event-table.ts'
import { type RoomParticipant, requireSeat } from '../admission/seat.ts'
import { appendAndPublish } from '../publish-events.ts'
import { lockSession } from '../session.ts'
import { disconnectParticipants } from './disconnect.ts'
import { readEncoderSources } from './encoder-sources.ts'
import { readHands, readStagePlace } from './log.ts'
import { canActOnStage, type StageAct, withoutStreams, withStream } from './rules.ts'
import type { AnswerInvite, Caption, GoOffAir, GoOnAir, HandView, InviteToStage, RaiseHand } from './schema.ts'

/**
 * Puts a stream of the caller, or an encoder's, on air, or says that its microphone or camera was switched; saying it again changes
 * nothing. Refuses with unauthorized, forbidden (`not_on_stage`), not_found (an encoder that does not
 * publish), conflict when the event is over.
 */
export async function goOnAir(input: GoOnAir): Promise<void> {
  await actOnStage(input.ticket, 'publish', async (tx, sitting) => {
    const { state } = await lockSession(tx, sitting)
    if (state.phase === 'finished') throw new Refusal('conflict')
    const { personId, name } = await findPublisher(tx, sitting, input)
    const stream: LiveStream = {
      stream: `${personId}-${input.kind}`,
      personId,
      kind: input.kind,
      name,
      microphone: input.microphone,
      camera: input.camera,
    }
    const before = state.onAir.find((live) => live.stream === stream.stream)
    if (before && before.microphone === stream.microphone && before.camera === stream.camera) return
    if (!before && state.onAir.length >= MAX_LIVE_STREAMS) throw new Refusal('unprocessable')
    await appendLiveStreams(tx, sitting, withStream(state.onAir, stream))
  })
}

// People put their own streams on air; an encoder, which knows nothing of the room, is put there by any presenter.
async function findPublisher(
  tx: Tx,
  { sessionId, personId, profile: participant, role }: RoomParticipant,
  input: GoOnAir,
) {
  const { name } = participant
  if (input.kind !== 'encoder') {
    if (input.personId && input.personId !== personId) throw new Refusal('not_found')
    return { personId, name }
  }
  if (!hasRight(role, 'present')) throw new Refusal('forbidden', { data: { because: 'may_not_present' } })
  const sources = await readEncoderSources(tx, sessionId)
  const source = sources.find((one) => one.personId === (input.personId ?? personId))
  if (!source) throw new Refusal('not_found')
  return source
}

/** The streams that a stage holds at once. */
const MAX_LIVE_STREAMS = 24

/**
 * Takes the caller's stream from the air; staff take anybody's, and with it the place on the stage of who was invited.
 * Refuses with unauthorized, forbidden.
 */
export async function goOffAir({ ticket, kind = null, personId = null }: GoOffAir): Promise<void> {
  const sitting = await requireSeat(ticket)
  const targetId = personId ?? sitting.personId
  await inTenant(sitting, async (tx) => {
    if (targetId !== sitting.personId) {
      requireAllowed(canActOnStage({ role: sitting.role, place: 'off' }, 'takeOff'))
      await requireParticipant(tx, sitting, targetId)
    }
    await removeStreams(tx, sitting, targetId, kind)
    const leavesStage =
      targetId !== sitting.personId && (await readStagePlace(tx, sitting.sessionId, targetId)) !== 'off'
    if (leavesStage) await appendStageEvents(tx, sitting, [toInviteEvent(sitting, targetId, false)])
    if (targetId === sitting.personId) return
    // They watch on. Who loses the place sends nothing at all any more.
    const stream = kind && !leavesStage ? `${targetId}-${kind}` : null
    disconnectParticipants(sitting.sessionId, [targetId], { isPublishingOnly: true, stream })
  })
}

/** Takes somebody's streams from the air, when they left or their streams ended. Safe to repeat. */
export async function removeStreams(
  tx: Tx,
  session: EventSessionRef,
  personId: string,
  kind: LiveStream['kind'] | null = null,
): Promise<void> {
  const { state } = await lockSession(tx, session)
  const left = withoutStreams(state.onAir, personId, kind)
  if (left !== state.onAir) await appendLiveStreams(tx, { ...session, personId }, left)
}

/** Raises a viewer's hand or takes it down; staff hear of it. Refuses with unauthorized, forbidden. */
export async function raiseHand({ ticket, on }: RaiseHand): Promise<void> {
  await actOnStage(ticket, 'raiseHand', (tx, sitting) => {
    const { personId } = sitting
    return appendStageEvents(tx, sitting, [
      { type: 'hand.raise', payload: { on }, actorId: personId, audience: 'staff' },
    ])
  })
}

/** Asks a viewer onto the stage, or takes the invitation back. Refuses with unauthorized, forbidden, not_found. */
export async function inviteToStage({ ticket, personId, on }: InviteToStage): Promise<void> {
  await actOnStage(ticket, 'invite', async (tx, sitting) => {
    const [viewer] = await tx
      .select({ role: workshopParticipant.role })
      .from(workshopParticipant)
      .where(and(eq(workshopParticipant.sessionId, sitting.sessionId), eq(workshopParticipant.id, personId)))
    if (viewer?.role !== 'viewer') throw new Refusal('not_found')
    if (!on) await removeStreams(tx, sitting, personId)
    await appendStageEvents(tx, sitting, [toInviteEvent(sitting, personId, on)])
    if (!on) disconnectParticipants(sitting.sessionId, [personId], { isPublishingOnly: true })
  })
}

/** Comes onto the stage, or declines; the hand goes down with it. Refuses with forbidden where nobody asked. */
export async function answerInvite({ ticket, accepted }: AnswerInvite): Promise<void> {
  await actOnStage(ticket, 'answer', (tx, sitting) => {
    const { personId } = sitting
    const by = { actorId: personId, personId }
    return appendStageEvents(tx, sitting, [
      { type: 'stage.change', payload: { personId, accepted }, ...by, audience: 'person' },
      { type: 'hand.raise', payload: { on: false }, ...by, audience: 'person' },
    ])
  })
}

/** A line of captions, typed by somebody of the staff. Refuses with unauthorized, forbidden. */
export async function caption({ ticket, text, language }: Caption): Promise<void> {
  await actOnStage(ticket, 'caption', (tx, sitting) => appendCaption(tx, sitting, { text, language }))
}

/** Appends a line of captions, said by whoever sits there: for everybody while the event is live, before for its staff. */
export async function appendCaption(
  tx: Tx,
  sitting: RoomParticipant,
  payload: { text: string; language: Locale },
): Promise<void> {
  const { state } = await lockSession(tx, sitting)
  const audience = state.phase === 'live' ? ('all' as const) : ('staff' as const)
  await appendStageEvents(tx, sitting, [{ type: 'caption', payload, actorId: sitting.personId, audience }])
}

/** Who has a hand up, was invited or is on the stage. For staff. Refuses with unauthorized, forbidden. */
export function listHands({ ticket }: { ticket: string }): Promise<HandView[]> {
  return actOnStage(ticket, 'seeHands', (tx, { sessionId }) => readHands(tx, sessionId))
}

async function requireParticipant(tx: Tx, { sessionId }: EventSessionRef, personId: string): Promise<void> {
  const { id } = workshopParticipant
  const found = await tx
    .select({ id })
    .from(workshopParticipant)
    .where(and(eq(workshopParticipant.sessionId, sessionId), eq(id, personId)))
  if (found.length === 0) throw new Refusal('not_found')
}

type EventSessionRef = Pick<RoomParticipant, 'tenantId' | 'sessionId'>

/** Lets pass who may do this on the stage, in a transaction of their school. */
export async function actOnStage<T>(
  ticket: string,
  act: StageAct,
  action: (tx: Tx, sitting: RoomParticipant) => Promise<T>,
): Promise<T> {
  const sitting = await requireSeat(ticket)
  return inTenant(sitting, async (tx) => {
    const place = await readStagePlace(tx, sitting.sessionId, sitting.personId)
    requireAllowed(canActOnStage({ role: sitting.role, place }, act))
    return action(tx, sitting)
  })
}

const toInviteEvent = ({ personId: by }: RoomParticipant, personId: string, on: boolean): NewEvent => ({
  type: 'stage.invite',
  payload: { personId, on },
  actorId: by,
  audience: 'person',
  personId,
})

const appendLiveStreams = (tx: Tx, session: EventSessionRef & { personId: string }, onAir: readonly LiveStream[]) =>
  appendStageEvents(tx, session, [
    { type: 'broadcast.change', payload: { onAir: [...onAir] }, actorId: session.personId },
  ])

async function appendStageEvents(tx: Tx, session: EventSessionRef, events: NewEvent[]): Promise<void> {
  await appendAndPublish(tx, session, events)
}
