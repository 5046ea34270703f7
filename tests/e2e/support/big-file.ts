import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { createClip } from '../../setup/media/clips.ts'

const MEGABYTE = 1024 * 1024

/** Creates a temporary folder. */
export function createTempFolder(): { path: (name: string) => string; remove: () => void } {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'upload-'))
  return { path: (name) => path.join(folder, name), remove: () => rmSync(folder, { recursive: true }) }
}

/** Writes a file of random bytes of this size in megabytes. */
export function writeRandomFile(filePath: string, megabytes: number): string {
  writeFileSync(filePath, randomBytes(megabytes * MEGABYTE))
  return filePath
}

/** Writes a valid MP4 of one second and this size in megabytes; the rest of the size is a `free` box. */
export async function writeBigVideo(filePath: string, megabytes: number): Promise<string> {
  await createClip(filePath, { seconds: 1, size: '640x360', tone: 440 })
  const head = Buffer.alloc(8)
  head.writeUInt32BE(megabytes * MEGABYTE)
  head.write('free', 4, 'latin1')
  writeFileSync(filePath, Buffer.concat([readFileSync(filePath), head, randomBytes(megabytes * MEGABYTE - 8)]))
  return filePath
}
