import { cartridgeSource } from './cartridge.ts'
import { docxSource } from './docx.ts'
import { markdownSource } from './markdown.ts'
import { membersOf } from './members.ts'
import { moodleSource } from './moodle.ts'
import type { Source } from './unit.ts'

/** What a course file contains, read without the importer. Throws for a format that has no counter. */
export async function readSource(bytes: Buffer): Promise<Source> {
  const members = await membersOf(bytes)
  if (members.has('word/document.xml')) return docxSource(members)
  if (members.has('imsmanifest.xml')) return cartridgeSource(members)
  if (members.has('moodle_backup.xml')) return moodleSource(members)
  if ([...members.keys()].some((name) => /\.md$/i.test(name))) return markdownSource(members)
  throw new Error('no counter for this format')
}
