import { and, eq } from 'drizzle-orm'
import { deleteRecording, deleteSegmentsBefore } from '#lib/core/broadcast/recording/delete-recording.ts'
import { stopRecording } from '#lib/core/broadcast/recording/recording.ts'
import { recordingDirectory } from '#lib/core/broadcast/recording/recording-requests.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { findConsentStart, lockConsent } from '#lib/mentoring/session/consent.ts'
import { purgeAreaFiles } from '#lib/storage/trash.ts'
import { removeSessionVideo } from '#lib/workshop/session-video.ts'
import { workshopSession } from '#lib/workshop/table.ts'
import { slidesVideoIdOf, videoIdOf } from '../recording/video-id.ts'
import { mentoringRoom } from '../table.ts'

/** Segments have the time at which their first frame was captured, this long before it arrives at most. */
const CAPTURE_DELAY_MS = 2000

/** Data of the job that follows a withdrawn consent. */
export interface DiscardRecordingsJob {
  tenantId: string
  mentorSessionId: string
}

/**
 * Deletes what was recorded of a session with a mentor before all its people agreed: the segments, and the videos of
 * rooms that have ended, whose storage is released. Without the consent of all, that is everything. Idempotent.
 */
export async function discardRecordings({ tenantId, mentorSessionId }: DiscardRecordingsJob): Promise<void> {
  const videoIds = await inTenant({ tenantId }, async (tx) => {
    // Consent cannot be given again while the segments are deleted.
    await lockConsent(tx, mentorSessionId)
    const agreedAt = await findConsentStart(tx, mentorSessionId)
    const rooms = await listRooms(tx, mentorSessionId)
    const discarded: string[] = []
    for (const { sessionId, finishedAt, videoFileId } of rooms) {
      if (agreedAt && !(finishedAt && finishedAt <= agreedAt)) {
        await deleteSegmentsBefore(recordingDirectory(sessionId), new Date(agreedAt.getTime() - CAPTURE_DELAY_MS))
        continue
      }
      await stopRecording(sessionId)
      await deleteRecording(recordingDirectory(sessionId))
      await removeSessionVideo(tx, sessionId)
      const videoId = videoIdOf(sessionId)
      discarded.push(...new Set([videoId, slidesVideoIdOf(videoId), ...(videoFileId ? [videoFileId] : [])]))
    }
    return discarded
  })
  await purgeAreaFiles(tenantId, 'storage', videoIds)
}

/** The session with a mentor whose room it is; null for the room of an event. */
export function findMentorSessionId(tenantId: string, sessionId: string): Promise<string | null> {
  return inTenant({ tenantId }, async (tx) => {
    const [room] = await tx
      .select({ mentorSessionId: mentoringRoom.mentorSessionId })
      .from(mentoringRoom)
      .innerJoin(workshopSession, isSessionOfRoom)
      .where(eq(workshopSession.id, sessionId))
    return room?.mentorSessionId ?? null
  })
}

/** Join condition: the session of the room of a session with a mentor. */
export const isSessionOfRoom = and(
  eq(workshopSession.tenantId, mentoringRoom.tenantId),
  eq(workshopSession.workshopId, mentoringRoom.workshopId),
)

function listRooms(tx: Tx, mentorSessionId: string) {
  return tx
    .select({
      sessionId: workshopSession.id,
      finishedAt: workshopSession.finishedAt,
      videoFileId: workshopSession.videoFileId,
    })
    .from(mentoringRoom)
    .innerJoin(workshopSession, isSessionOfRoom)
    .where(eq(mentoringRoom.mentorSessionId, mentorSessionId))
}
