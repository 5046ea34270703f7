import { readArchive } from './archive-entries.ts'
import { readCartridge } from './cartridge.ts'
import { readDocx } from './docx.ts'
import { readMarkdown } from './markdown.ts'
import { readMoodle } from './moodle.ts'
import type { Source } from './unit.ts'

/** Reads the content of a course file independently of the importer. Throws for an unknown format. */
export async function readSource(bytes: Buffer): Promise<Source> {
  const members = await readArchive(bytes)
  if (members.has('word/document.xml')) return readDocx(members)
  if (members.has('imsmanifest.xml')) return readCartridge(members)
  if (members.has('moodle_backup.xml')) return readMoodle(members)
  if ([...members.keys()].some((name) => /\.md$/i.test(name))) return readMarkdown(members)
  throw new Error('no counter for this format')
}
