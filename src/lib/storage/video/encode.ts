import { and, eq, notInArray, sql } from 'drizzle-orm'
import { inTenant } from '#lib/core/db/db.ts'
import { store } from '#lib/core/files/files.ts'
import { enqueueJob, type JobRun } from '#lib/core/jobs/jobs.ts'
import { listQueuedJobs } from '#lib/core/jobs/queued-jobs.ts'
import { findEncoder } from '#lib/core/media/encoder.ts'
import { MediaError, type MediaFault } from '#lib/core/media/media-task.ts'
import { removeStaleFolders, withTemporaryFolder } from '#lib/core/media/temporary-folder.ts'
import { findFullDisk } from '#lib/core/service-unavailable.ts'
import type { FileFailure } from '#lib/core/shared/stored-file.ts'
import { MINUTE_MS } from '#lib/core/shared/time.ts'
import { publishStorageEvent } from '../live.ts'
import { fileState, video } from '../table.ts'
import { type EncodingRun, enterState, SupersededEncodingError } from './encoding-run.ts'
import { transcodeVideo } from './transcode.ts'
import { ENCODE_HOURS, ENCODE_JOB } from './video.ts'
import { removePartialOutput } from './video-output.ts'
import { hasSpaceAgain } from './video-space.ts'

const MAX_ATTEMPTS = 3
/** Maximum number of waiting videos for which an event with their new position is published. */
const MAX_POSITION_EVENTS = 50
/** Delay before a video that waits for disk space is checked again. */
const DISK_WAIT_MS = 5 * MINUTE_MS

/** Whether this process can encode. Removes temporary files of a killed process. */
export async function canEncode(): Promise<boolean> {
  await removeStaleFolders()
  return (await findEncoder()) !== null
}

/**
 * Encodes a video or audio file for the player. Idempotent: complete output is not encoded again. A file that cannot be
 * encoded fails immediately; after a temporary failure (killed encoder, unreachable store) the function throws, and
 * there are three attempts in total. A shutdown of the process and a lack of disk space do not count as attempts: the
 * video then waits in the queue.
 */
export async function encodeVideo(
  { tenantId, fileId }: { tenantId: string; fileId: string },
  { signal }: Pick<JobRun, 'signal'>,
): Promise<void> {
  const encoder = await findEncoder()
  if (!encoder) throw new MediaError('stopped', 'no ffmpeg')
  if (!(await hasSpaceAgain(tenantId, fileId))) return waitForDisk(tenantId, fileId)
  const started = await startAttempt(tenantId, fileId)
  if (!started) return
  const halt = new AbortController()
  const stopSignal = AbortSignal.any([signal, halt.signal])
  await publishQueuePositions()
  try {
    if (started.attempt > MAX_ATTEMPTS) throw new MediaError('crashed')
    await withTemporaryFolder((folder) =>
      transcodeVideo({ ...started, tenantId, fileId, encoder, folder, signal: stopSignal, cancellation: halt }),
    )
  } catch (error) {
    if (await isSuperseded({ ...started, tenantId, fileId })) return
    await handleFailure({ ...started, tenantId, fileId }, error)
  }
}

type Attempt = Pick<EncodingRun, 'tenantId' | 'fileId' | 'attempt'>

async function startAttempt(tenantId: string, fileId: string): Promise<{ attempt: number } | null> {
  return inTenant({ tenantId }, async (tx) => {
    const [row] = await tx
      .update(video)
      .set({
        attempts: sql`${video.attempts} + 1`,
        state: 'processing',
        progress: 0,
        startedAt: new Date(),
        waitsForDisk: false,
      })
      .where(and(eq(video.fileId, fileId), notInArray(video.state, ['finished', 'failed'])))
      .returning({ attempt: video.attempts })
    if (!row) return null
    await tx.insert(fileState).values({ tenantId, fileId, event: 'processing', detail: String(row.attempt) })
    await publishStorageEvent({ fileId, event: 'processing', progress: 0 })
    return row
  })
}

// The file was deleted, or another process has started a newer attempt.
async function isSuperseded({ tenantId, fileId, attempt }: Attempt): Promise<boolean> {
  const [row] = await inTenant({ tenantId }, (tx) =>
    tx.select({ attempt: video.attempts }).from(video).where(eq(video.fileId, fileId)),
  )
  if (!row) await store.removeFile(tenantId, fileId)
  return row?.attempt !== attempt
}

const waitForDisk = (tenantId: string, fileId: string): Promise<void> =>
  enqueueJob(
    ENCODE_JOB,
    { tenantId, fileId },
    { singletonKey: fileId, timeoutHours: ENCODE_HOURS, startAfter: new Date(Date.now() + DISK_WAIT_MS) },
  )

function faultOf(error: unknown): MediaFault {
  if (error instanceof MediaError) return error.fault
  return findFullDisk(error) === 'files' ? 'disk_full' : 'crashed'
}

async function handleFailure(encoding: Attempt, error: unknown): Promise<void> {
  if (error instanceof SupersededEncodingError) return
  const fault = faultOf(error)
  const detail = error instanceof MediaError ? error.stderrTail : ''
  if (fault === 'disk_full') {
    await removePartialOutput(encoding)
    const set = { attempts: encoding.attempt - 1, progress: 0, waitsForDisk: true }
    await enterState(encoding, 'queued', { detail: 'disk_full', set })
    return waitForDisk(encoding.tenantId, encoding.fileId)
  }
  if (fault === 'stopped') {
    await enterState(encoding, 'queued', { set: { attempts: encoding.attempt - 1, progress: 0 } })
  } else if (fault !== 'crashed' || encoding.attempt >= MAX_ATTEMPTS) {
    const failure = FAILURE_BY_FAULT[fault]
    await removePartialOutput(encoding)
    await enterState(encoding, 'failed', {
      detail: failure,
      set: { failure, failureDetail: detail || null, endedAt: new Date() },
    })
    return
  } else {
    await enterState(encoding, 'queued', { detail: 'again', set: { progress: 0, failureDetail: detail || null } })
  }
  throw error
}

const FAILURE_BY_FAULT: Record<Exclude<MediaFault, 'stopped' | 'disk_full'>, FileFailure> = {
  empty: 'empty',
  damaged: 'damaged',
  nothing_inside: 'no_picture_or_sound',
  too_long: 'too_long_to_process',
  too_heavy: 'too_heavy',
  crashed: 'processing_crashed',
}

async function publishQueuePositions(): Promise<void> {
  const waiting = (await listQueuedJobs(ENCODE_JOB, MAX_POSITION_EVENTS)).filter(({ isRunning: running }) => !running)
  for (const [before, { key, tenantId }] of waiting.entries()) {
    if (!tenantId) continue
    await inTenant({ tenantId }, () => publishStorageEvent({ fileId: key, event: 'queued', queuePosition: before + 1 }))
  }
}
