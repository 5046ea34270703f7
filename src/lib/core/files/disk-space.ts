import { statfs } from 'node:fs/promises'
import path from 'node:path'
import { config } from '../config/config.ts'
import { Refusal } from '../http/refusal.ts'

/**
 * Whether so many bytes more leave the reserve of the disk free on which files lie. Without one, uploads take the last
 * byte, and then no save works any more: the database usually lies on the same disk. Files in a bucket take no space here.
 */
export const hasDiskSpace = async (requiredBytes: number): Promise<boolean> =>
  config.s3 ? true : leavesReserve('files', requiredBytes)

/** The same for what is written on this machine even where files lie in a bucket: the work of an encoder, recordings. */
export const hasLocalSpace = (requiredBytes: number): Promise<boolean> => leavesReserve('tmp', requiredBytes)

async function leavesReserve(folder: string, requiredBytes: number): Promise<boolean> {
  const { bavail, bsize } = await statfs(await closestExistingFolder(path.join(config.dataDir, folder)))
  return bavail * bsize - requiredBytes >= config.diskReserve
}

/** Refuses with disk_full when so many bytes more would touch the reserve. */
export async function requireDiskSpace(requiredBytes: number): Promise<void> {
  if (!(await hasDiskSpace(requiredBytes))) throw new Refusal('disk_full')
}

async function closestExistingFolder(place: string): Promise<string> {
  const found = await statfs(place).catch(() => null)
  return found || place === path.dirname(place) ? place : closestExistingFolder(path.dirname(place))
}
