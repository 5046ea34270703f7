import { and, eq } from 'drizzle-orm'
import { inTenant } from '#lib/core/db/db.ts'
import { log } from '#lib/core/log.ts'
import type { Encoder } from '#lib/core/media/encoder.ts'
import type { VideoState } from '#lib/core/shared/stored-file.ts'
import { publishStorageEvent } from '../live.ts'
import { fileState, video } from '../table.ts'

/** One attempt at one file. */
export interface EncodingRun {
  tenantId: string
  fileId: string
  /** From 1. Only the newest attempt may write: see `mine`. */
  attempt: number
  encoder: Encoder
  folder: string
  signal: AbortSignal
  /** Ends the encoder when nobody needs its work any more. */
  cancellation: AbortController
}

type Attempt = Pick<EncodingRun, 'tenantId' | 'fileId' | 'attempt'>

/** Another attempt has begun, or the file is no more. */
export class Superseded extends Error {}

/** The file's row as long as this attempt is its newest. */
export const isCurrentAttempt = ({ fileId, attempt }: Attempt) =>
  and(eq(video.fileId, fileId), eq(video.attempts, attempt))

/** Brings the video into a state, with its time and a word to those who watch. Throws Superseded. */
export async function enterState(
  work: Attempt,
  state: VideoState,
  { detail = null, set = {} }: { detail?: string | null; set?: Partial<typeof video.$inferInsert> } = {},
): Promise<void> {
  const { tenantId, fileId } = work
  await inTenant(work, async (tx) => {
    const [row] = await tx
      .update(video)
      .set({ ...set, state })
      .where(isCurrentAttempt(work))
      .returning({ progress: video.progress })
    if (!row) throw new Superseded()
    await tx.insert(fileState).values({ tenantId, fileId, event: state, detail })
    await publishStorageEvent({ fileId, event: state, progress: row.progress })
  })
}

const PROGRESS_INTERVAL_MS = 1000

/** Gives a function that takes the share done (0 to 1) and tells it live as percent, once a second at most. */
export function createProgressReporter(
  work: EncodingRun,
  state: VideoState,
  from: number,
  to: number,
): (share: number) => void {
  let published = Math.round(from)
  let nextAtMs = 0
  return (share) => {
    const percent = Math.floor(from + (to - from) * Math.min(1, share))
    if (percent <= published || Date.now() < nextAtMs) return
    published = percent
    nextAtMs = Date.now() + PROGRESS_INTERVAL_MS
    // A word that is lost now is said by the next one; a file that is gone ends the work.
    void publishProgress(work, state, percent).catch((err: unknown) => log.warn({ err }, 'progress could not be told'))
  }
}

async function publishProgress(work: EncodingRun, state: VideoState, progress: number): Promise<void> {
  const exists = await inTenant(work, async (tx) => {
    const rows = await tx
      .update(video)
      .set({ progress })
      .where(isCurrentAttempt(work))
      .returning({ fileId: video.fileId })
    if (rows.length > 0) await publishStorageEvent({ fileId: work.fileId, event: state, progress })
    return rows.length > 0
  })
  if (!exists) work.cancellation.abort()
}
