import { rm, statfs, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { config } from '../config/config.ts'
import { Refusal } from '../http/refusal.ts'
import { findFullDisk } from '../service-unavailable.ts'

/**
 * Whether writing so many bytes keeps the disk reserve free. Without a reserve, uploads could fill the disk, and the
 * database, usually on the same disk, could not save. Files in a bucket take no space here.
 */
export const hasDiskSpace = async (requiredBytes: number): Promise<boolean> =>
  config.s3 ? true : leavesReserve('files', requiredBytes)

/** The same for data that is always written locally: temporary files of ffmpeg and recordings. */
export const hasLocalSpace = (requiredBytes: number): Promise<boolean> => leavesReserve('tmp', requiredBytes)

/** Bytes that may be written locally before the disk reserve is used. */
export const freeLocalBytes = async (): Promise<number> => Math.max(0, await bytesAboveReserve('tmp'))

/**
 * Why nothing can be written to DATA_DIR, tested by writing a file: `disk_full` when the disk or a quota is used up or
 * PostgreSQL could not add a segment to its log, `disk` for another failure, null when writing is possible.
 */
export async function findDiskOutage(folder = config.dataDir): Promise<'disk_full' | 'disk' | null> {
  const probe = path.join(folder, `.ready-${process.pid}`)
  try {
    const { bavail, bsize } = await statfs(folder)
    if (bavail * bsize < WAL_SEGMENT_BYTES) return 'disk_full'
    await writeFile(probe, PROBE, { mode: 0o600, flush: true })
    return null
  } catch (error) {
    return findFullDisk(error) ? 'disk_full' : 'disk'
  } finally {
    await rm(probe, { force: true }).catch(() => {})
  }
}

const WAL_SEGMENT_BYTES = 16 * 1024 ** 2
const PROBE = Buffer.alloc(65_536)

async function leavesReserve(folder: string, requiredBytes: number): Promise<boolean> {
  return (await bytesAboveReserve(folder)) >= requiredBytes
}

async function bytesAboveReserve(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(await closestExistingFolder(path.join(config.dataDir, folder)))
  return bavail * bsize - config.diskReserve
}

/** Refuses with disk_full when writing so many bytes would use the reserve. */
export async function requireDiskSpace(requiredBytes: number): Promise<void> {
  if (!(await hasDiskSpace(requiredBytes))) throw new Refusal('disk_full')
}

async function closestExistingFolder(place: string): Promise<string> {
  const stats = await statfs(place).catch(() => null)
  return stats || place === path.dirname(place) ? place : closestExistingFolder(path.dirname(place))
}
