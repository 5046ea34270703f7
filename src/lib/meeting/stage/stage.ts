import { and, eq } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Locale } from '#lib/core/shared/locale.ts'
import { requireEventPermission } from '#lib/workshop/permission.ts'
import { hasRight } from '#lib/workshop/rules.ts'
import type { LiveStream, NewEvent } from '#lib/workshop/session/event-schema.ts'
import { workshopParticipant } from '#lib/workshop/session/event-table.ts'
import { type RoomParticipant, requireSeat } from '../admission/seat.ts'
import { appendAndPublish } from '../publish-events.ts'
import { lockSession } from '../session.ts'
import { disconnectParticipants } from './disconnect.ts'
import { readEncoderSources } from './encoder-sources.ts'
import { readHands, readStagePlace } from './log.ts'
import { canActOnStage, type StageAction, withoutStreams, withStream } from './rules.ts'
import type { AnswerInvite, Caption, GoOffAir, GoOnAir, HandView, InviteToStage, RaiseHand } from './schema.ts'

/**
 * Puts a stream of the caller, or of an encoder, on the stage, or updates its microphone and camera. Idempotent.
 * Refuses with unauthorized, forbidden (`not_on_stage`), not_found (an encoder that does not publish), conflict when
 * the event is over.
 */
export async function goOnAir(input: GoOnAir): Promise<void> {
  await actOnStage(input.seatToken, 'publish', async (tx, participant) => {
    const { state } = await lockSession(tx, participant)
    if (state.phase === 'finished') throw new Refusal('conflict')
    const { personId, name } = await findPublisher(tx, participant, input)
    const stream: LiveStream = {
      stream: `${personId}-${input.kind}`,
      personId,
      kind: input.kind,
      name,
      microphone: input.microphone,
      camera: input.camera,
    }
    const current = state.onAir.find((live) => live.stream === stream.stream)
    if (current && current.microphone === stream.microphone && current.camera === stream.camera) return
    if (!current && state.onAir.length >= MAX_LIVE_STREAMS) throw new Refusal('unprocessable')
    await appendLiveStreams(tx, participant, withStream(state.onAir, stream))
  })
}

// Participants publish their own streams; an encoder is put on the stage by any presenter.
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
  if (!hasRight(role, 'present')) throw new Refusal('forbidden', { data: { reason: 'may_not_present' } })
  const sources = await readEncoderSources(tx, sessionId)
  const source = sources.find((source) => source.personId === (input.personId ?? personId))
  if (!source) throw new Refusal('not_found')
  return source
}

/** Maximum of simultaneous streams on a stage. */
const MAX_LIVE_STREAMS = 24

/**
 * Removes the caller's stream from the stage; staff remove any, and with it the stage place of an invited viewer.
 * Refuses with unauthorized, forbidden.
 */
export async function goOffAir({ seatToken, kind = null, personId = null }: GoOffAir): Promise<void> {
  const participant = await requireSeat(seatToken)
  const targetId = personId ?? participant.personId
  await inTenant(participant, async (tx) => {
    if (targetId !== participant.personId) {
      requireEventPermission(canActOnStage({ role: participant.role, place: 'off' }, 'takeOff'))
      await requireParticipant(tx, participant, targetId)
    }
    await removeStreams(tx, participant, targetId, kind)
    const leavesStage =
      targetId !== participant.personId && (await readStagePlace(tx, participant.sessionId, targetId)) !== 'off'
    if (leavesStage) await appendStageEvents(tx, participant, [toInviteEvent(participant, targetId, false)])
    if (targetId === participant.personId) return
    // They keep watching. A participant who loses the stage place stops publishing altogether.
    const stream = kind && !leavesStage ? `${targetId}-${kind}` : null
    disconnectParticipants(participant.sessionId, [targetId], { isPublishingOnly: true, stream })
  })
}

/** Removes a participant's streams when they left or their streams ended. Idempotent. */
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

/** Raises or lowers a viewer's hand; visible to staff. Refuses with unauthorized, forbidden. */
export async function raiseHand({ seatToken, on }: RaiseHand): Promise<void> {
  await actOnStage(seatToken, 'raiseHand', (tx, participant) => {
    const { personId } = participant
    return appendStageEvents(tx, participant, [
      { type: 'hand.raise', payload: { on }, actorId: personId, audience: 'staff' },
    ])
  })
}

/** Invites a viewer to the stage, or withdraws the invitation. Refuses with unauthorized, forbidden, not_found. */
export async function inviteToStage({ seatToken, personId, on }: InviteToStage): Promise<void> {
  await actOnStage(seatToken, 'invite', async (tx, participant) => {
    const [viewer] = await tx
      .select({ role: workshopParticipant.role })
      .from(workshopParticipant)
      .where(and(eq(workshopParticipant.sessionId, participant.sessionId), eq(workshopParticipant.id, personId)))
    if (viewer?.role !== 'viewer') throw new Refusal('not_found')
    if (!on) await removeStreams(tx, participant, personId)
    await appendStageEvents(tx, participant, [toInviteEvent(participant, personId, on)])
    if (!on) disconnectParticipants(participant.sessionId, [personId], { isPublishingOnly: true })
  })
}

/** Accepts or declines an invitation; the hand is lowered. Refuses with forbidden without an invitation. */
export async function answerInvite({ seatToken, accepted }: AnswerInvite): Promise<void> {
  await actOnStage(seatToken, 'answer', (tx, participant) => {
    const { personId } = participant
    const by = { actorId: personId, personId }
    return appendStageEvents(tx, participant, [
      { type: 'stage.change', payload: { personId, accepted }, ...by, audience: 'person' },
      { type: 'hand.raise', payload: { on: false }, ...by, audience: 'person' },
    ])
  })
}

/** Adds a caption typed by staff. Refuses with unauthorized, forbidden. */
export async function publishCaption({ seatToken, text, language }: Caption): Promise<void> {
  await actOnStage(seatToken, 'caption', (tx, participant) => appendCaption(tx, participant, { text, language }))
}

/** Appends a caption by the participant: for everybody while the event is live, before that for staff. */
export async function appendCaption(
  tx: Tx,
  participant: RoomParticipant,
  payload: { text: string; language: Locale },
): Promise<void> {
  const { state } = await lockSession(tx, participant)
  const audience = state.phase === 'live' ? ('all' as const) : ('staff' as const)
  await appendStageEvents(tx, participant, [{ type: 'caption', payload, actorId: participant.personId, audience }])
}

/** Lists raised hands, invitations and stage guests, for staff. Refuses with unauthorized, forbidden. */
export function listHands({ seatToken }: { seatToken: string }): Promise<HandView[]> {
  return actOnStage(seatToken, 'seeHands', (tx, { sessionId }) => readHands(tx, sessionId))
}

async function requireParticipant(tx: Tx, { sessionId }: EventSessionRef, personId: string): Promise<void> {
  const { id } = workshopParticipant
  const rows = await tx
    .select({ id })
    .from(workshopParticipant)
    .where(and(eq(workshopParticipant.sessionId, sessionId), eq(id, personId)))
  if (rows.length === 0) throw new Refusal('not_found')
}

type EventSessionRef = Pick<RoomParticipant, 'tenantId' | 'sessionId'>

/** Runs an action of a participant who may perform it, in a transaction of the tenant. */
export async function actOnStage<T>(
  seatToken: string,
  action: StageAction,
  run: (tx: Tx, participant: RoomParticipant) => Promise<T>,
): Promise<T> {
  const participant = await requireSeat(seatToken)
  return inTenant(participant, async (tx) => {
    const place = await readStagePlace(tx, participant.sessionId, participant.personId)
    requireEventPermission(canActOnStage({ role: participant.role, place }, action))
    return run(tx, participant)
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
