import { and, asc, eq, isNull } from 'drizzle-orm'
import { config } from '#lib/core/config/config.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { enqueueJob } from '#lib/core/jobs/jobs.ts'
import { listQueuedJobs } from '#lib/core/jobs/queued-jobs.ts'
import { findEncoder } from '#lib/core/media/encoder.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { FileEvent, VideoState } from '#lib/core/shared/stored-file.ts'
import { publishStorageEvent } from '../live.ts'
import { requireStorageAccess, requireStorageWrite } from '../permission.ts'
import { file, fileState, video } from '../table.ts'

export const ENCODE_JOB = 'storage.encode'
/** Time limit of a try; longer than the limits of its steps together. */
export const ENCODE_HOURS = 24
const MAX_QUEUE = 1000

/**
 * Queues a video or audio file for encoding. Idempotent; complete output is kept. Inside `inTenant`, as the last
 * statement before the caller's own events.
 */
export async function queueVideo(tx: Tx, tenantId: string, fileId: string): Promise<void> {
  const again = { state: 'queued', progress: 0, attempts: 0, failure: null, failureDetail: null } as const
  const fresh = { waitsForDisk: false, truncated: false }
  const times = { queuedAt: new Date(), startedAt: null, endedAt: null }
  await tx
    .insert(video)
    .values({ tenantId, fileId })
    .onConflictDoUpdate({ target: [video.tenantId, video.fileId], set: { ...again, ...fresh, ...times } })
  await tx.insert(fileState).values({ tenantId, fileId, event: 'queued' })
  await enqueueJob(ENCODE_JOB, { tenantId, fileId }, { singletonKey: fileId, timeoutHours: ENCODE_HOURS })
  await publishStorageEvent({ fileId, event: 'queued', progress: 0 })
}

/** Retries a failed video, with three new attempts. Refuses with forbidden, plan_inactive, not_found, conflict. */
export async function retryVideo(actor: Actor, input: { fileId: string }): Promise<void> {
  requireStorageWrite(actor)
  await inTenant(actor, async (tx) => {
    const { state } = await loadVideo(tx, input.fileId)
    if (state !== 'failed') throw new Refusal('conflict')
    await queueVideo(tx, actor.tenantId, input.fileId)
  })
}

/** Chooses the poster from the candidates, from 0. Refuses with forbidden, plan_inactive, not_found, invalid. */
export async function choosePoster(actor: Actor, input: { fileId: string; poster: number }): Promise<void> {
  requireStorageWrite(actor)
  await inTenant(actor, async (tx) => {
    const { posters } = await loadVideo(tx, input.fileId)
    if (input.poster >= posters) throw new Refusal('invalid', { fields: { poster: ['format'] } })
    await tx.update(video).set({ poster: input.poster }).where(eq(video.fileId, input.fileId))
    await publishStorageEvent({ fileId: input.fileId, event: 'changed' })
  })
}

export interface VideoView {
  fileId: string
  state: VideoState
  /** Percent. */
  progress: number
  /** Position in the queue, from 1; null when it is not waiting. */
  queuePosition: number | null
  attempts: number
  /** A key under `storage:failure` and `storage:hint`, and the last output of the encoder. */
  failure: string | null
  failureDetail: string | null
  /** False without ffmpeg: the video waits, and its original is played. */
  encoder: boolean
  /** Waits for free disk space. */
  waitsForDisk: boolean
  /** Seconds. */
  duration: number | null
  /** The end of the file is missing: `duration` covers the readable part. */
  truncated: boolean
  hasPicture: boolean
  hasSound: boolean
  renditions: { size: number; width: number; height: number; ready: boolean }[]
  soundReady: boolean
  posters: number
  poster: number
  /** History of the states, the oldest first. */
  history: { event: FileEvent; detail: string | null; at: Date }[]
}

/** The encoding state of a video, for team members who manage files. Refuses with forbidden, not_found. */
export async function getVideo(actor: Actor, input: { fileId: string }): Promise<VideoView> {
  requireStorageAccess(actor)
  const { row, history } = await inTenant(actor, async (tx) => ({
    row: await loadVideo(tx, input.fileId),
    history: await tx
      .select({ event: fileState.event, detail: fileState.detail, at: fileState.at })
      .from(fileState)
      .where(eq(fileState.fileId, input.fileId))
      .orderBy(asc(fileState.at), asc(fileState.id)),
  }))
  const renditions = row.renditions.map(({ size, width, height, ready }) => ({ size, width, height, ready }))
  const place = row.state === 'queued' ? await findQueuePosition(input.fileId) : null
  return { ...row, renditions, queuePosition: place, encoder: await isEncoderAvailable(), history }
}

async function loadVideo(tx: Tx, fileId: string) {
  const [row] = await tx
    .select({
      fileId: video.fileId,
      state: video.state,
      progress: video.progress,
      attempts: video.attempts,
      failure: video.failure,
      failureDetail: video.failureDetail,
      waitsForDisk: video.waitsForDisk,
      duration: video.duration,
      truncated: video.truncated,
      hasPicture: video.hasPicture,
      hasSound: video.hasSound,
      renditions: video.renditions,
      soundReady: video.soundReady,
      posters: video.posters,
      poster: video.poster,
    })
    .from(video)
    .innerJoin(file, and(eq(file.tenantId, video.tenantId), eq(file.id, video.fileId)))
    .where(and(eq(video.fileId, fileId), isNull(file.deletedAt)))
    .for('update', { of: video })
  if (!row) throw new Refusal('not_found')
  return row
}

async function findQueuePosition(fileId: string): Promise<number | null> {
  const waiting = (await listQueuedJobs(ENCODE_JOB, MAX_QUEUE)).filter(({ isRunning: running }) => !running)
  const at = waiting.findIndex(({ key }) => key === fileId)
  return at === -1 ? null : at + 1
}

// With separate job processes, ffmpeg is needed on their machine only.
const isEncoderAvailable = async (): Promise<boolean> => !config.jobsInProcess || (await findEncoder()) !== null
