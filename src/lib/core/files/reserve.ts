import { statfs } from 'node:fs/promises'
import path from 'node:path'
import { config } from '../config/config.ts'
import { Refusal } from '../http/refusal.ts'

/**
 * Whether so many bytes more leave the reserve of the disk free on which files lie. Without one, uploads take the last
 * byte, and then no save works any more: the database usually lies on the same disk. Files in a bucket take no space here.
 */
export const hasDiskSpace = async (bytes: number): Promise<boolean> =>
  config.s3 ? true : leavesReserve('files', bytes)

/** The same for what is written on this machine even where files lie in a bucket: the work of an encoder, recordings. */
export const hasLocalSpace = (bytes: number): Promise<boolean> => leavesReserve('tmp', bytes)

async function leavesReserve(folder: string, bytes: number): Promise<boolean> {
  const { bavail, bsize } = await statfs(await existing(path.join(config.dataDir, folder)))
  return bavail * bsize - bytes >= config.diskReserve
}

/** Refuses with disk_full when so many bytes more would touch the reserve. */
export async function requireDiskSpace(bytes: number): Promise<void> {
  if (!(await hasDiskSpace(bytes))) throw new Refusal('disk_full')
}

async function existing(place: string): Promise<string> {
  const found = await statfs(place).catch(() => null)
  return found || place === path.dirname(place) ? place : existing(path.dirname(place))
}
