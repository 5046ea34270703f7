import { and, desc, eq, isNotNull } from 'drizzle-orm'
import type { z } from 'zod'
import { getTenantPlans, requirePlan } from '#lib/billing/billing.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { nullIfRefused, Refusal } from '#lib/core/http/refusal.ts'
import { enqueueJob } from '#lib/core/jobs/jobs.ts'
import { publish } from '#lib/core/live/live.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { changeConsent, changeConsentOfMember, isConsentOfAll, readConsent } from '#lib/mentoring/session/consent.ts'
import type { PlaybackView } from '#lib/storage/schema.ts'
import { openPlayback } from '#lib/storage/video/playback.ts'
import { setUnlistedRecording } from '#lib/workshop/settings/unlisted.ts'
import { workshopSession } from '#lib/workshop/table.ts'
import { requireSeat } from '../admission/seat.ts'
import { startRoomRecording, stopRecordingRoom } from '../recording/record.ts'
import { roomChannel } from '../room-rules.ts'
import type { SetRecordingConsent } from '../room-schema.ts'
import { mentoringRoom } from '../table.ts'
import { type DiscardRecordingsJob, isSessionOfRoom } from './discard-recording.ts'
import { findMentoringRoom, readRoomConsent } from './room-view.ts'

/** A session with several rooms, because people left and returned, has several videos. */
const MAX_VIDEOS = 10

export interface SessionRecording {
  canChange: boolean
  hasAgreed: boolean
  haveAllAgreed: boolean
  videos: PlaybackView[]
}

/** The consent to the recording of a session, and its videos for mentor and student. Refuses with not_found. */
export async function getSessionRecording(
  actor: Actor,
  { bookingId }: { bookingId: string },
  now = new Date(),
): Promise<SessionRecording> {
  const { consent, fileIds } = await inTenant(actor, async (tx) => {
    const found = await readConsent(tx, actor, bookingId, now)
    return { consent: found, fileIds: found.isParticipant ? await listVideos(tx, found.mentorSessionId) : [] }
  })
  // A file may have been deleted from the storage.
  const videos = await Promise.all(fileIds.map((fileId) => openPlayback(actor, fileId).catch(nullIfRefused)))
  return {
    canChange: consent.canChange,
    hasAgreed: consent.isOwn,
    haveAllAgreed: consent.isOfAll,
    videos: videos.filter((video) => video !== null),
  }
}

/**
 * Agrees to the recording of a session, or withdraws it, also while it takes place: it is recorded while the mentor and
 * every student agree. What was recorded before a withdrawal is deleted, also videos. Refuses as changeConsent.
 */
export function setRecordingConsent(
  actor: Actor,
  input: { bookingId: string; agrees: boolean },
  now = new Date(),
): Promise<void> {
  return inTenant(actor, async (tx) => {
    const { mentorSessionId } = await changeConsent(tx, actor, input, now)
    await followConsent(tx, actor.tenantId, { mentorSessionId, agrees: input.agrees })
  })
}

/**
 * The same in the room of the session, by the seat token. Refuses with unauthorized, forbidden (no seat), not_found (the
 * room of an event, or another person's session), plan_inactive, conflict (the session has ended).
 */
export async function setRoomConsent(
  { seatToken, agrees }: z.infer<typeof SetRecordingConsent>,
  now = new Date(),
): Promise<void> {
  const participant = await requireSeat(seatToken)
  await inTenant(participant, async (tx) => {
    const room = await findMentoringRoom(tx, participant)
    if (!room) throw new Refusal('not_found')
    const { mentorSessionId, memberId } = room
    if (participant.role === 'host') {
      const plan = { tenantId: participant.tenantId, ...(await getTenantPlans(tx)) }
      requirePlan({ ...plan, accountType: 'ACCOUNT_TYPE_TEAM_MEMBER' }, 'lms')
    }
    await changeConsentOfMember(tx, { mentorSessionId, memberId, agrees }, now)
    await followConsent(tx, participant.tenantId, { mentorSessionId, agrees })
  })
}

// Records the running room while all agree, tells its people, and deletes what was recorded after a withdrawal.
async function followConsent(
  tx: Tx,
  tenantId: string,
  { mentorSessionId, agrees }: { mentorSessionId: string; agrees: boolean },
): Promise<void> {
  const [room] = await tx
    .select({
      workshopId: mentoringRoom.workshopId,
      sessionId: workshopSession.id,
      finishedAt: workshopSession.finishedAt,
    })
    .from(mentoringRoom)
    .innerJoin(workshopSession, isSessionOfRoom)
    .where(eq(mentoringRoom.mentorSessionId, mentorSessionId))
    .orderBy(desc(mentoringRoom.createdAt))
    .limit(1)
  if (!room) return
  if (!room.finishedAt) {
    await applyConsent(tx, { ...room, tenantId }, await isConsentOfAll(tx, mentorSessionId))
    await publish(roomChannel(room.sessionId), { consent: await readRoomConsent(tx, mentorSessionId) })
  }
  if (agrees) return
  const job: DiscardRecordingsJob = { tenantId, mentorSessionId }
  await enqueueJob('meeting.discardRecording', { ...job })
}

/** Records a running room while all agree. Idempotent. */
export async function applyConsent(
  tx: Tx,
  room: { tenantId: string; workshopId: string; sessionId: string },
  isOfAll: boolean,
): Promise<void> {
  const hasChanged = await setUnlistedRecording(tx, room.workshopId, isOfAll)
  if (isOfAll) await startRoomRecording(tx, room, room.workshopId)
  else if (hasChanged) stopRecordingRoom(room.sessionId)
}

async function listVideos(tx: Tx, mentorSessionId: string): Promise<string[]> {
  const rows = await tx
    .select({ fileId: workshopSession.videoFileId })
    .from(mentoringRoom)
    .innerJoin(workshopSession, isSessionOfRoom)
    .where(and(eq(mentoringRoom.mentorSessionId, mentorSessionId), isNotNull(workshopSession.videoFileId)))
    .orderBy(mentoringRoom.createdAt)
    .limit(MAX_VIDEOS)
  return rows.flatMap(({ fileId }) => fileId ?? [])
}
