import { and, eq } from 'drizzle-orm'
import { inTenant } from '#lib/core/db/db.ts'
import { log } from '#lib/core/log.ts'
import type { Encoder } from '#lib/core/media/encoder.ts'
import type { VideoState } from '#lib/core/shared/stored-file.ts'
import { publishStorageEvent } from '../live.ts'
import { fileState, video } from '../table.ts'

/** One attempt to encode one file. */
export interface EncodingRun {
  tenantId: string
  fileId: string
  /** From 1. Only the newest attempt may write: see `isCurrentAttempt`. */
  attempt: number
  encoder: Encoder
  folder: string
  signal: AbortSignal
  /** Stops the encoder when its output is no longer needed. */
  cancellation: AbortController
}

type Attempt = Pick<EncodingRun, 'tenantId' | 'fileId' | 'attempt'>

/** A newer attempt has started, or the file was deleted. */
export class SupersededEncodingError extends Error {}

/** Matches the video's row while this attempt is the newest. */
export const isCurrentAttempt = ({ fileId, attempt }: Attempt) =>
  and(eq(video.fileId, fileId), eq(video.attempts, attempt))

/** Changes the state of the video, records it and publishes it. Throws Superseded. */
export async function enterState(
  encoding: Attempt,
  state: VideoState,
  { detail = null, set = {} }: { detail?: string | null; set?: Partial<typeof video.$inferInsert> } = {},
): Promise<void> {
  const { tenantId, fileId } = encoding
  await inTenant(encoding, async (tx) => {
    const [row] = await tx
      .update(video)
      .set({ ...set, state })
      .where(isCurrentAttempt(encoding))
      .returning({ progress: video.progress })
    if (!row) throw new SupersededEncodingError()
    await tx.insert(fileState).values({ tenantId, fileId, event: state, detail })
    await publishStorageEvent({ fileId, event: state, progress: row.progress })
  })
}

const PROGRESS_INTERVAL_MS = 1000

/** Returns a function that publishes a share (0 to 1) as percent, once a second at most. */
export function createProgressReporter(
  encoding: EncodingRun,
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
    // A lost update is replaced by the next one; a deleted file stops the encoder.
    void publishProgress(encoding, state, percent).catch((err: unknown) =>
      log.warn({ err }, 'Encoding progress was not published'),
    )
  }
}

async function publishProgress(encoding: EncodingRun, state: VideoState, progress: number): Promise<void> {
  const exists = await inTenant(encoding, async (tx) => {
    const rows = await tx
      .update(video)
      .set({ progress })
      .where(isCurrentAttempt(encoding))
      .returning({ fileId: video.fileId })
    if (rows.length > 0) await publishStorageEvent({ fileId: encoding.fileId, event: state, progress })
    return rows.length > 0
  })
  if (!exists) encoding.cancellation.abort()
}
