import { and, desc, eq, isNotNull } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { nullIfRefused } from '#lib/core/http/refusal.ts'
import { enqueueJob } from '#lib/core/jobs/jobs.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { changeConsent, readConsent } from '#lib/mentoring/session/consent.ts'
import type { PlaybackView } from '#lib/storage/schema.ts'
import { openPlayback } from '#lib/storage/video/playback.ts'
import { setUnlistedRecording } from '#lib/workshop/settings/unlisted.ts'
import { workshopSession } from '#lib/workshop/table.ts'
import { startRoomRecording, stopRecordingRoom } from '../recording/record.ts'
import { mentoringRoom } from '../table.ts'
import { type DiscardRecordingsJob, isSessionOfRoom } from './discard-recording.ts'

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
    const { mentorSessionId, isOfAll } = await changeConsent(tx, actor, input, now)
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
    if (room && !room.finishedAt) await applyConsent(tx, { ...room, tenantId: actor.tenantId }, isOfAll)
    if (input.agrees || !room) return
    const job: DiscardRecordingsJob = { tenantId: actor.tenantId, mentorSessionId }
    await enqueueJob('meeting.discardRecording', { ...job })
  })
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
