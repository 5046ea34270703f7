import { and, eq, isNull } from 'drizzle-orm'
import type { z } from 'zod'
import { getTenantPlans, requirePlan } from '#lib/billing/billing.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { enqueueJob } from '#lib/core/jobs/jobs.ts'
import { scheduleFollowUpEmails } from '#lib/registration/attendance.ts'
import { file } from '#lib/storage/table.ts'
import { requireConferenceLimit } from '#lib/workshop/conference-limit.ts'
import type { RoomRight } from '#lib/workshop/rules.ts'
import type { NewEvent, Payload } from '#lib/workshop/session/event-schema.ts'
import { type RoomParticipant, requireSeat } from './admission/seat.ts'
import { buildPollCloseEvents } from './poll.ts'
import { appendAndPublish, type EventSessionRef } from './publish-events.ts'
import { completePreliminaryReplay } from './recording/preliminary-replay.ts'
import { startRoomRecording, stopRecordingRoom } from './recording/record.ts'
import type { Seat, SetChat, SetMode, SetSlide } from './room-schema.ts'
import { lockSession, readEventSettings } from './session.ts'
import { endSessionStreams } from './stage/disconnect.ts'

type Session = Awaited<ReturnType<typeof lockSession>>

/**
 * Starts the event, and its recording if enabled. Idempotent. Refuses with unauthorized, forbidden, conflict (finished,
 * canceled, or not started manually), plan_inactive, unprocessable (too many live events).
 */
export async function startEvent({ seatToken }: Seat): Promise<void> {
  await changeRoom(seatToken, 'start', async (tx, participant, session) => {
    requireManualStart(session)
    if (session.state.phase === 'live') return
    const planOwner = { tenantId: participant.tenantId, ...(await getTenantPlans(tx)) }
    requirePlan({ ...planOwner, accountType: 'ACCOUNT_TYPE_TEAM_MEMBER' }, 'workshop')
    if (session.kind === 'live') await requireConferenceLimit(tx, planOwner)
    await appendAndPublish(tx, participant, [withActor(participant, { type: 'webinar.start', payload: {} })])
    if (session.kind === 'live') await startRoomRecording(tx, participant, participant.workshopId)
  })
}

/** Finishes the event for everybody. Idempotent. Refuses with unauthorized, forbidden, conflict. */
export async function finishEvent({ seatToken }: Seat): Promise<void> {
  await changeRoom(seatToken, 'start', async (tx, participant, session) => {
    if (session.state.phase === 'finished') return
    requireManualStart(session)
    if (session.state.phase !== 'live') throw new Refusal('conflict')
    await finishSession(tx, participant, session, 'host', participant.personId)
  })
}

/**
 * Finishes a locked, running session: closes an open poll with its votes, enqueues the recording and schedules the
 * follow-up emails.
 */
export async function finishSession(
  tx: Tx,
  sessionRef: EventSessionRef,
  { workshopId, kind, state }: Session,
  reason: Payload<'webinar.finish'>['reason'],
  actorId: string | null = null,
): Promise<void> {
  const { tenantId, sessionId } = sessionRef
  const closingEvents = await buildPollCloseEvents(tx, sessionId, state)
  await appendAndPublish(tx, sessionRef, [...closingEvents, { type: 'webinar.finish', payload: { reason }, actorId }])
  if (kind === 'live') await scheduleFollowUpEmails(tx, { tenantId, workshopId, sessionId })
  const { settings } = await readEventSettings(tx, workshopId)
  if (settings.record && kind === 'live') {
    if (settings.replay.enabled) await completePreliminaryReplay(sessionRef)
    await enqueueJob('meeting.compose', { tenantId, sessionId }, { singletonKey: sessionId })
  }
  stopRecordingRoom(sessionId)
  endSessionStreams(sessionRef)
}

/** Changes the presentation mode of the stage. Refuses with unauthorized, forbidden. */
export async function setMode({ seatToken, mode }: z.infer<typeof SetMode>): Promise<void> {
  await changeRoom(seatToken, 'present', async (tx, participant, { state }) => {
    if (state.mode === mode) return
    await appendAndPublish(tx, participant, [
      withActor(participant, { type: 'presentation.change', payload: { mode } }),
    ])
  })
}

/** Shows a page, or other slides: a PDF of the tenant's storage. Refuses with unauthorized, forbidden, not_found. */
export async function setSlide({ seatToken, fileId, page }: z.infer<typeof SetSlide>): Promise<void> {
  await changeRoom(seatToken, 'present', async (tx, participant, { state }) => {
    const nextFileId = fileId === undefined ? state.slide.fileId : fileId
    if (nextFileId === state.slide.fileId && page === state.slide.page) return
    if (nextFileId && nextFileId !== state.slide.fileId) await requireSlidesFile(tx, nextFileId)
    await appendAndPublish(tx, participant, [
      withActor(participant, { type: 'slide.change', payload: { fileId: nextFileId, page } }),
    ])
  })
}

/** Changes the chat settings. Refuses with unauthorized, forbidden. */
export async function setChat({ seatToken, chat }: z.infer<typeof SetChat>): Promise<void> {
  await changeRoom(seatToken, 'moderate', async (tx, participant) => {
    await appendAndPublish(tx, participant, [withActor(participant, { type: 'chat.change', payload: chat })])
  })
}

/**
 * Runs a change in a room whose event log is locked, if the seat token's holder has the right. Refuses like
 * requireSeat.
 */
export async function changeRoom(
  seatToken: string,
  right: RoomRight,
  change: (tx: Tx, participant: RoomParticipant, session: Session) => Promise<void>,
): Promise<void> {
  const participant = await requireSeat(seatToken, right)
  await inTenant(participant, async (tx) => change(tx, participant, await lockSession(tx, participant)))
}

export const withActor = ({ personId }: RoomParticipant, event: NewEvent): NewEvent => ({ ...event, actorId: personId })

function requireManualStart({ kind, state, canceledAt }: Session): void {
  const isManual = kind === 'live' || kind === 'rehearsal'
  if (!isManual || canceledAt) throw new Refusal('conflict')
  if (state.phase === 'finished' && kind === 'live') throw new Refusal('conflict')
}

async function requireSlidesFile(tx: Tx, fileId: string): Promise<void> {
  const [row] = await tx
    .select({ id: file.id })
    .from(file)
    .where(and(eq(file.id, fileId), eq(file.mime, 'application/pdf'), isNull(file.deletedAt)))
  if (!row) throw new Refusal('not_found')
}
