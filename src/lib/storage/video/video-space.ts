import { stat } from 'node:fs/promises'
import { and, eq } from 'drizzle-orm'
import { config } from '#lib/core/config/config.ts'
import { inTenant } from '#lib/core/db/db.ts'
import { hasLocalSpace } from '#lib/core/files/disk-space.ts'
import { store } from '#lib/core/files/files.ts'
import { maxEncodedBytes, type RenditionSize } from '#lib/core/media/hls-encoding.ts'
import { MediaError } from '#lib/core/media/media-task.ts'
import { objectKey } from '../object-key.ts'
import { video } from '../table.ts'

const CHECK_INTERVAL_MS = 5000
/** All resolutions together are rarely larger than this many originals. */
const MAX_OUTPUT_RATIO = 2

/** Throws MediaError disk_full when a local copy of the original would use the reserve of the disk. */
export async function requireSpaceForOriginal(size: number): Promise<void> {
  if (config.s3 && !(await hasLocalSpace(size))) throw new MediaError('disk_full')
}

/**
 * Throws MediaError disk_full when encoding these resolutions of the file at `path` would use the reserve of the disk.
 */
export async function requireSpaceForRenditions(
  path: string,
  renditions: readonly Pick<RenditionSize, 'size'>[],
  seconds: number,
): Promise<void> {
  const { size } = await stat(path)
  if (!(await hasLocalSpace(requiredBytes(renditions, seconds, size)))) throw new MediaError('disk_full')
}

/** Whether there is now enough space for a video that waits for it; true for one that does not wait. */
export async function hasSpaceAgain(tenantId: string, fileId: string): Promise<boolean> {
  const [row] = await inTenant({ tenantId }, (tx) =>
    tx
      .select({ duration: video.duration, renditions: video.renditions })
      .from(video)
      .where(and(eq(video.fileId, fileId), eq(video.waitsForDisk, true))),
  )
  if (!row) return true
  const original = (await store.stat(objectKey(tenantId, fileId)))?.size ?? 0
  const missing = row.renditions.filter(({ ready }) => !ready)
  const made = row.duration === null ? 0 : requiredBytes(missing, row.duration, original)
  return hasLocalSpace(made + (config.s3 ? original : 0))
}

/** Bytes on this machine: temporary files, and the output where the store is on its disk. */
export function requiredBytes(
  renditions: readonly Pick<RenditionSize, 'size'>[],
  seconds: number,
  original: number,
): number {
  return Math.min(maxEncodedBytes(renditions, seconds), MAX_OUTPUT_RATIO * original) * (config.s3 ? 1 : 2)
}

/**
 * Runs a task that writes on this machine and aborts it by the signal when the reserve of the disk is used. Then throws
 * MediaError disk_full.
 */
export async function runWithDiskGuard(
  signal: AbortSignal,
  task: (signal: AbortSignal) => Promise<unknown>,
  everyMs = CHECK_INTERVAL_MS,
): Promise<void> {
  const full = new AbortController()
  const check = async () => {
    // A failing check must not stop the task.
    if (!(await hasLocalSpace(0).catch(() => true))) full.abort()
  }
  const timer = setInterval(() => void check(), everyMs)
  try {
    await task(AbortSignal.any([signal, full.signal]))
  } catch (error) {
    throw full.signal.aborted && !signal.aborted ? new MediaError('disk_full') : error
  } finally {
    clearInterval(timer)
  }
}
