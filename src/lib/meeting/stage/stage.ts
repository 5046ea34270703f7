import { and, eq } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Locale } from '#lib/core/shared/locale.ts'
import { must } from '#lib/workshop/permission.ts'
import { hasRight } from '#lib/workshop/rules.ts'
import type { NewEvent, OnAir } from '#lib/workshop/session/event-schema.ts'
import { workshopParticipant } from '#lib/workshop/session/event-table.ts'
import { mustSit, type Sitting } from '../admission/seat.ts'
import { appendAndSay } from '../publish-events.ts'
import { lockSession } from '../session.ts'
import { oust } from './disconnect.ts'
import { readEncoderSources } from './encoder-sources.ts'
import { readHands, stagePlaceOf } from './log.ts'
import { mayOnStage, offAirAfter, onAirAfter, type StageAct } from './rules.ts'
import type { AnswerInvite, Caption, GoOffAir, GoOnAir, HandView, InviteToStage, RaiseHand } from './schema.ts'

/**
 * Puts a stream of the caller, or an encoder's, on air, or says that its microphone or camera was switched; saying it again changes
 * nothing. Refuses with unauthorized, forbidden (`not_on_stage`), not_found (an encoder that does not
 * publish), conflict when the event is over.
 */
export async function goOnAir(input: GoOnAir): Promise<void> {
  await onStage(input.ticket, 'publish', async (tx, sitting) => {
    const { state } = await lockSession(tx, sitting)
    if (state.phase === 'finished') throw new Refusal('conflict')
    const { personId, name } = await publisherOf(tx, sitting, input)
    const stream: OnAir = {
      stream: `${personId}-${input.kind}`,
      personId,
      kind: input.kind,
      name,
      microphone: input.microphone,
      camera: input.camera,
    }
    const before = state.onAir.find((one) => one.stream === stream.stream)
    if (before && before.microphone === stream.microphone && before.camera === stream.camera) return
    if (!before && state.onAir.length >= MOST_ON_AIR) throw new Refusal('unprocessable')
    await change(tx, sitting, onAirAfter(state.onAir, stream))
  })
}

// People put their own streams on air; an encoder, which knows nothing of the room, is put there by any presenter.
async function publisherOf(tx: Tx, { sessionId, personId, participant, role }: Sitting, input: GoOnAir) {
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
const MOST_ON_AIR = 24

/**
 * Takes the caller's stream from the air; staff take anybody's, and with it the place on the stage of who was invited.
 * Refuses with unauthorized, forbidden.
 */
export async function goOffAir({ ticket, kind = null, personId = null }: GoOffAir): Promise<void> {
  const sitting = await mustSit(ticket)
  const whose = personId ?? sitting.personId
  await inTenant(sitting, async (tx) => {
    if (whose !== sitting.personId) {
      must(mayOnStage({ role: sitting.role, place: 'off' }, 'takeOff'))
      await mustBeHere(tx, sitting, whose)
    }
    await dropStreams(tx, sitting, whose, kind)
    const leaves = whose !== sitting.personId && (await stagePlaceOf(tx, sitting.sessionId, whose)) !== 'off'
    if (leaves) await say(tx, sitting, [invitation(sitting, whose, false)])
    if (whose === sitting.personId) return
    // They watch on. Who loses the place sends nothing at all any more.
    const stream = kind && !leaves ? `${whose}-${kind}` : null
    oust(sitting.sessionId, [whose], { publishing: true, stream })
  })
}

/** Takes somebody's streams from the air, when they left or their streams ended. Safe to repeat. */
export async function dropStreams(
  tx: Tx,
  session: SessionOf,
  personId: string,
  kind: OnAir['kind'] | null = null,
): Promise<void> {
  const { state } = await lockSession(tx, session)
  const left = offAirAfter(state.onAir, personId, kind)
  if (left !== state.onAir) await change(tx, { ...session, personId }, left)
}

/** Raises a viewer's hand or takes it down; staff hear of it. Refuses with unauthorized, forbidden. */
export async function raiseHand({ ticket, on }: RaiseHand): Promise<void> {
  await onStage(ticket, 'raiseHand', (tx, sitting) => {
    const { personId } = sitting
    return say(tx, sitting, [{ type: 'hand.raise', payload: { on }, actorId: personId, audience: 'staff' }])
  })
}

/** Asks a viewer onto the stage, or takes the invitation back. Refuses with unauthorized, forbidden, not_found. */
export async function inviteToStage({ ticket, personId, on }: InviteToStage): Promise<void> {
  await onStage(ticket, 'invite', async (tx, sitting) => {
    const [viewer] = await tx
      .select({ role: workshopParticipant.role })
      .from(workshopParticipant)
      .where(and(eq(workshopParticipant.sessionId, sitting.sessionId), eq(workshopParticipant.id, personId)))
    if (viewer?.role !== 'viewer') throw new Refusal('not_found')
    if (!on) await dropStreams(tx, sitting, personId)
    await say(tx, sitting, [invitation(sitting, personId, on)])
    if (!on) oust(sitting.sessionId, [personId], { publishing: true })
  })
}

/** Comes onto the stage, or declines; the hand goes down with it. Refuses with forbidden where nobody asked. */
export async function answerInvite({ ticket, accepted }: AnswerInvite): Promise<void> {
  await onStage(ticket, 'answer', (tx, sitting) => {
    const { personId } = sitting
    const by = { actorId: personId, personId }
    return say(tx, sitting, [
      { type: 'stage.change', payload: { personId, accepted }, ...by, audience: 'person' },
      { type: 'hand.raise', payload: { on: false }, ...by, audience: 'person' },
    ])
  })
}

/** A line of captions, typed by somebody of the staff. Refuses with unauthorized, forbidden. */
export async function caption({ ticket, text, language }: Caption): Promise<void> {
  await onStage(ticket, 'caption', (tx, sitting) => speakCaption(tx, sitting, { text, language }))
}

/** Appends a line of captions, said by whoever sits there: for everybody while the event is live, before for its staff. */
export async function speakCaption(
  tx: Tx,
  sitting: Sitting,
  payload: { text: string; language: Locale },
): Promise<void> {
  const { state } = await lockSession(tx, sitting)
  const audience = state.phase === 'live' ? ('all' as const) : ('staff' as const)
  await say(tx, sitting, [{ type: 'caption', payload, actorId: sitting.personId, audience }])
}

/** Who has a hand up, was invited or is on the stage. For staff. Refuses with unauthorized, forbidden. */
export function listHands({ ticket }: { ticket: string }): Promise<HandView[]> {
  return onStage(ticket, 'seeHands', (tx, { sessionId }) => readHands(tx, sessionId))
}

async function mustBeHere(tx: Tx, { sessionId }: SessionOf, personId: string): Promise<void> {
  const { id } = workshopParticipant
  const found = await tx
    .select({ id })
    .from(workshopParticipant)
    .where(and(eq(workshopParticipant.sessionId, sessionId), eq(id, personId)))
  if (found.length === 0) throw new Refusal('not_found')
}

type SessionOf = Pick<Sitting, 'tenantId' | 'sessionId'>

/** Lets pass who may do this on the stage, in a transaction of their school. */
export async function onStage<T>(
  ticket: string,
  act: StageAct,
  run: (tx: Tx, sitting: Sitting) => Promise<T>,
): Promise<T> {
  const sitting = await mustSit(ticket)
  return inTenant(sitting, async (tx) => {
    const place = await stagePlaceOf(tx, sitting.sessionId, sitting.personId)
    must(mayOnStage({ role: sitting.role, place }, act))
    return run(tx, sitting)
  })
}

const invitation = ({ personId: by }: Sitting, personId: string, on: boolean): NewEvent => ({
  type: 'stage.invite',
  payload: { personId, on },
  actorId: by,
  audience: 'person',
  personId,
})

const change = (tx: Tx, session: SessionOf & { personId: string }, onAir: readonly OnAir[]) =>
  say(tx, session, [{ type: 'broadcast.change', payload: { onAir: [...onAir] }, actorId: session.personId }])

async function say(tx: Tx, session: SessionOf, events: NewEvent[]): Promise<void> {
  await appendAndSay(tx, session, events)
}
