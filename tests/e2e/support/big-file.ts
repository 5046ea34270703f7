import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { clip } from '../../setup/media/clips.ts'

const MEGABYTE = 1024 * 1024

/** A folder of its own for a test's files. */
export function createTempFolder(): { path: (name: string) => string; remove: () => void } {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'upload-'))
  return { path: (name) => path.join(folder, name), remove: () => rmSync(folder, { recursive: true }) }
}

/** A file that nobody knows, of so many megabytes. */
export function writeRandomFile(filePath: string, megabytes: number): string {
  writeFileSync(filePath, randomBytes(megabytes * MEGABYTE))
  return filePath
}

/** A real MP4 of a second that is encoded quickly and yet weighs so many megabytes: the rest is a `free` box. */
export async function writeBigVideo(filePath: string, megabytes: number): Promise<string> {
  await clip(filePath, { seconds: 1, size: '640x360', tone: 440 })
  const head = Buffer.alloc(8)
  head.writeUInt32BE(megabytes * MEGABYTE)
  head.write('free', 4, 'latin1')
  writeFileSync(filePath, Buffer.concat([readFileSync(filePath), head, randomBytes(megabytes * MEGABYTE - 8)]))
  return filePath
}
