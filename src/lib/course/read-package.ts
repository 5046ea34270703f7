import path from 'node:path'
import { type Archive, openArchive } from '#lib/core/files/archive.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Incoming } from './incoming.ts'
import { isBundle, readBundle } from './read-bundle.ts'
import { CARTRIDGE_MANIFEST, readCartridge } from './read-cartridge.ts'
import { readDocx, WORD_TEXT } from './read-docx.ts'
import { readFolder } from './read-folder.ts'
import { MOODLE_MANIFEST, readMoodle } from './read-moodle.ts'

export interface Package {
  incoming: Incoming
  /** Nothing can be taken from it any more. */
  close(): void
}

/**
 * Reads a file of the disk as a course, in whatever of our formats it is: what is inside decides, never the name.
 * Refuses as `openArchive` and the readers do, with import_unknown for an archive of anything else and import_empty for
 * one without lessons.
 */
export async function readPackage(file: { path: string; name: string }, scratch: string): Promise<Package> {
  const archive = await openArchive(file.path, scratch)
  try {
    const incoming = await readAs(archive, file, scratch)
    if (incoming.modules.every(({ lessons }) => lessons.length === 0)) throw refused('import_empty')
    return { incoming, close: archive.close }
  } catch (error) {
    archive.close()
    throw error
  }
}

async function readAs(archive: Archive, file: { path: string; name: string }, scratch: string): Promise<Incoming> {
  const has = (name: string) => archive.names.includes(name)
  if (isBundle(archive)) return readBundle(archive)
  if (has(WORD_TEXT)) return readDocx(archive, file, scratch)
  if (has(CARTRIDGE_MANIFEST)) return readCartridge(archive)
  if (has(MOODLE_MANIFEST)) return readMoodle(archive)
  const course = archive.names.find((name) => /^([^/]+\/)?course\.md$/.test(name))
  if (course !== undefined) return readFolder(archive, path.posix.dirname(course), scratch)
  throw refused('import_unknown')
}

const refused = (key: string) => new Refusal('unprocessable', { fields: { file: [key] } })
