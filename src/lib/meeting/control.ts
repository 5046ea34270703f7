import { and, eq, isNull } from 'drizzle-orm'
import type { z } from 'zod'
import { requirePlan, schoolPlans } from '#lib/billing/billing.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { enqueueJob } from '#lib/core/jobs/jobs.ts'
import { noteFinished } from '#lib/registration/attendance.ts'
import { file } from '#lib/storage/table.ts'
import { requireConference } from '#lib/workshop/conference.ts'
import type { RoomRight } from '#lib/workshop/rules.ts'
import type { NewEvent, Payload } from '#lib/workshop/session/event-schema.ts'
import { mustSit, type Sitting } from './admission/seat.ts'
import { closing } from './poll.ts'
import { appendAndSay, type SessionOf } from './publish-events.ts'
import { recordRoom, stopRecordingRoom } from './recording/record.ts'
import type { Seat, SetChat, SetMode, SetSlide } from './room-schema.ts'
import { lockSession, settingsOf } from './session.ts'
import { endStreams } from './stage/disconnect.ts'

type Session = Awaited<ReturnType<typeof lockSession>>

/**
 * Begins the event; its recording too, where it is set. A second start changes nothing. Refuses with unauthorized,
 * forbidden, conflict (over, canceled, or not begun by hand), plan_inactive, unprocessable (too many at once).
 */
export async function start({ ticket }: Seat): Promise<void> {
  await inRoom(ticket, 'start', async (tx, sitting, session) => {
    mustRunByHand(session)
    if (session.state.phase === 'live') return
    const school = { tenantId: sitting.tenantId, ...(await schoolPlans(tx)) }
    requirePlan({ ...school, accountType: 'ACCOUNT_TYPE_TEAM_MEMBER' }, 'workshop')
    if (session.kind === 'live') await requireConference(tx, school)
    await appendAndSay(tx, sitting, [by(sitting, { type: 'webinar.start', payload: {} })])
    if (session.kind === 'live') await recordRoom(tx, sitting, sitting.workshopId)
  })
}

/** Ends the event for everybody. A second end changes nothing. Refuses with unauthorized, forbidden, conflict. */
export async function finish({ ticket }: Seat): Promise<void> {
  await inRoom(ticket, 'start', async (tx, sitting, session) => {
    if (session.state.phase === 'finished') return
    mustRunByHand(session)
    if (session.state.phase !== 'live') throw new Refusal('conflict')
    await finishSession(tx, sitting, session, 'host', sitting.personId)
  })
}

/** Ends a session that is locked and running: an open poll is counted first, the film is made, letters go out. */
export async function finishSession(
  tx: Tx,
  of: SessionOf,
  { workshopId, kind, state }: Session,
  because: Payload<'webinar.finish'>['because'],
  actorId: string | null = null,
): Promise<void> {
  const { tenantId, sessionId } = of
  const last = await closing(tx, sessionId, state)
  await appendAndSay(tx, of, [...last, { type: 'webinar.finish', payload: { because }, actorId }])
  if (kind === 'live') await noteFinished(tx, { tenantId, workshopId, sessionId })
  const { settings } = await settingsOf(tx, workshopId)
  if (settings.record && kind === 'live')
    await enqueueJob('meeting.compose', { tenantId, sessionId }, { singletonKey: sessionId })
  stopRecordingRoom(sessionId)
  endStreams(of)
}

/** Changes what the stage shows. Refuses with unauthorized, forbidden. */
export async function setMode({ ticket, mode }: z.infer<typeof SetMode>): Promise<void> {
  await inRoom(ticket, 'present', async (tx, sitting, { state }) => {
    if (state.mode === mode) return
    await appendAndSay(tx, sitting, [by(sitting, { type: 'presentation.change', payload: { mode } })])
  })
}

/** Turns to a page, or to other slides: a PDF of the school's storage. Refuses with unauthorized, forbidden, not_found. */
export async function setSlide({ ticket, fileId, page }: z.infer<typeof SetSlide>): Promise<void> {
  await inRoom(ticket, 'present', async (tx, sitting, { state }) => {
    const wanted = fileId === undefined ? state.slide.fileId : fileId
    if (wanted === state.slide.fileId && page === state.slide.page) return
    if (wanted && wanted !== state.slide.fileId) await mustBeSlides(tx, wanted)
    await appendAndSay(tx, sitting, [by(sitting, { type: 'slide.change', payload: { fileId: wanted, page } })])
  })
}

/** Changes the rules of the chat from now on. Refuses with unauthorized, forbidden. */
export async function setChat({ ticket, chat }: z.infer<typeof SetChat>): Promise<void> {
  await inRoom(ticket, 'moderate', async (tx, sitting) => {
    await appendAndSay(tx, sitting, [by(sitting, { type: 'chat.change', payload: chat })])
  })
}

/** Does something in a room whose log is locked, if the ticket gives that right. Refuses as mustSit does. */
export async function inRoom(
  ticket: string,
  right: RoomRight,
  run: (tx: Tx, sitting: Sitting, session: Session) => Promise<void>,
): Promise<void> {
  const sitting = await mustSit(ticket, right)
  await inTenant(sitting, async (tx) => run(tx, sitting, await lockSession(tx, sitting)))
}

export const by = ({ personId }: Sitting, event: NewEvent): NewEvent => ({ ...event, actorId: personId })

function mustRunByHand({ kind, state, canceledAt }: Session): void {
  const byHand = kind === 'live' || kind === 'rehearsal'
  if (!byHand || canceledAt) throw new Refusal('conflict')
  if (state.phase === 'finished' && kind === 'live') throw new Refusal('conflict')
}

async function mustBeSlides(tx: Tx, fileId: string): Promise<void> {
  const [found] = await tx
    .select({ id: file.id })
    .from(file)
    .where(and(eq(file.id, fileId), eq(file.mime, 'application/pdf'), isNull(file.deletedAt)))
  if (!found) throw new Refusal('not_found')
}
