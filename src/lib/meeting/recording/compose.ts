import { randomUUID } from 'node:crypto'
import { readdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { eq } from 'drizzle-orm'
import { type ComposedVideo, composeRecording } from '#lib/core/broadcast/recording/compose.ts'
import { stopRecording } from '#lib/core/broadcast/recording/recording.ts'
import { recordingDirectory } from '#lib/core/broadcast/recording/recording-requests.ts'
import { config } from '#lib/core/config/config.ts'
import { inTenant } from '#lib/core/db/db.ts'
import { hasLocalSpace } from '#lib/core/files/disk-space.ts'
import { getTranslator } from '#lib/core/i18n/i18n.ts'
import { enqueueJob, type JobRun } from '#lib/core/jobs/jobs.ts'
import { log } from '#lib/core/log.ts'
import { MediaError } from '#lib/core/media/media-task.ts'
import { withTemporaryFolder } from '#lib/core/media/temporary-folder.ts'
import { MINUTE_MS } from '#lib/core/shared/time.ts'
import { file } from '#lib/storage/table.ts'
import { storeRecording } from '#lib/storage/video/store-recording.ts'
import { saveSessionVideo } from '#lib/workshop/session-video.ts'
import { discardRecordings, findMentorSessionId } from '../mentoring/discard-recording.ts'
import { scheduleReplayDiscard } from './preliminary-replay.ts'
import { type RecordedSession, readRecordedSession } from './recorded-session.ts'
import { sendStorageFullEmail } from './storage-full-email.ts'
import { slidesVideoIdOf, videoIdOf } from './video-id.ts'
import { hasVisibleSlides, renderStage } from './video-stage.ts'

/**
 * Composes the videos of a finished session from its recording segments and stores them, owned by the host: the streams
 * alone, for replays and automated webinars with separate slides, and, if slides were shown, a video that contains
 * them. Idempotent and resumable: segments are removed when all videos are stored. Without segments there is no video.
 * A video beyond the tenant's quota is stored too, and the owners get an email. Composition is postponed while it would
 * use the disk reserve. What a session with a mentor has recorded without the consent of all is deleted instead.
 */
export async function composeSessionVideos(
  { tenantId, sessionId }: { tenantId: string; sessionId: string },
  { signal }: Pick<JobRun, 'signal'>,
): Promise<void> {
  const session = await inTenant({ tenantId }, (tx) => readRecordedSession(tx, sessionId))
  if (!session?.startedAt || !session.finishedAt) return
  const mentorSessionId = await findMentorSessionId(tenantId, sessionId)
  if (mentorSessionId) await discardRecordings({ tenantId, mentorSessionId })
  const folder = recordingDirectory(sessionId)
  // The recorder may have ended with its process; its segments are composed in any case.
  await stopRecording(sessionId).catch((err: unknown) => log.warn({ err, sessionId }, 'the recording did not stop'))
  // Space for the video and its temporary files; segments are removed afterwards.
  if (!(await hasLocalSpace(2 * (await countBytes(folder))))) {
    log.warn({ sessionId }, 'a recording waits for space on the disk')
    const startAfter = new Date(Date.now() + DISK_RETRY_MS)
    return enqueueJob('meeting.compose', { tenantId, sessionId }, { singletonKey: sessionId, startAfter })
  }
  const timeRange = { since: session.startedAt, until: session.finishedAt }
  const slides = hasVisibleSlides(session.settings)
  const t = getTranslator(session.language)
  try {
    // One video per session and kind: a repeated job stores the same file.
    if (!session.videoFileId) {
      const title = slides ? t('meeting:video.withoutSlides', { title: session.title }) : session.title
      await composeAndSave({ tenantId, sessionId, fileId: videoIdOf(sessionId), title, session }, (out) =>
        composeRecording(folder, timeRange, out, { signal, stageTimesOf: session.stageTimesOf }),
      )
    }
    if (slides) await composeWithSlides({ tenantId, sessionId, folder, timeRange, session }, signal)
  } catch (error) {
    if (error instanceof MediaError && error.fault === 'empty') return
    throw error
  }
  await rm(folder, { recursive: true, force: true })
  // The consent may have been withdrawn while the video was composed.
  if (mentorSessionId) await discardRecordings({ tenantId, mentorSessionId })
}

const DISK_RETRY_MS = 10 * MINUTE_MS

async function countBytes(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => path.join(parentPath, name))
  const sizes = await Promise.all(files.map((file) => stat(file).then(({ size }) => size)))
  return sizes.reduce((sum, size) => sum + size, 0)
}

interface ComposeTask {
  tenantId: string
  sessionId: string
  folder: string
  timeRange: { since: Date; until: Date }
  session: RecordedSession
}

async function composeWithSlides(
  { tenantId, sessionId, folder, timeRange, session }: ComposeTask,
  signal: AbortSignal,
) {
  const fileId = slidesVideoIdOf(videoIdOf(sessionId))
  const { id } = file
  const existing = await inTenant({ tenantId }, (tx) => tx.select({ id }).from(file).where(eq(id, fileId)))
  if (existing.length > 0) return
  await withTemporaryFolder(async (scratch) => {
    const turns = await renderStage(session.settings, { tenantId, startedAt: timeRange.since, folder: scratch }, signal)
    await composeAndSave({ tenantId, sessionId, fileId, title: session.title, session }, (out) =>
      composeRecording(folder, timeRange, out, {
        signal,
        stageChanges: turns,
        stageTimesOf: session.stageTimesOf,
      }),
    )
  })
}

interface VideoTask {
  tenantId: string
  sessionId: string
  fileId: string
  title: string
  session: RecordedSession
}

async function composeAndSave(
  { tenantId, sessionId, fileId, title, session }: VideoTask,
  compose: (outputPath: string) => Promise<ComposedVideo>,
): Promise<void> {
  const outputPath = path.join(config.dataDir, 'broadcast', `${sessionId}-${randomUUID()}.mp4`)
  try {
    const video = await compose(outputPath)
    const stored = await storeRecording({
      tenantId,
      path: outputPath,
      name: videoFileName(title),
      ownerId: session.ownerId,
      fileId,
    })
    await inTenant({ tenantId }, async (tx) => {
      if (fileId === videoIdOf(sessionId)) {
        await saveSessionVideo(tx, sessionId, { fileId, offsetMs: video.offsetMs })
        await scheduleReplayDiscard({ tenantId, sessionId })
      }
      if (stored.overQuota) await sendStorageFullEmail(tx, tenantId, { sessionId, title: session.title })
    })
  } finally {
    await rm(outputPath, { force: true })
  }
}

const videoFileName = (title: string): string =>
  `${
    title
      .replace(/[\\/:*?"<>|]+/g, ' ')
      .trim()
      .slice(0, 120) || 'video'
  }.mp4`
