import type { Archive } from '#lib/core/files/archive/archive-guard.ts'
import { type MarkupElement, parseXml } from '../markup.ts'

/** An XML file of a backup; a missing file is treated as damaged. Refuses with unprocessable (import_xml). */
export async function readPart(archive: Archive, name: string, root: string): Promise<MarkupElement> {
  return parseXml((await archive.read(name)) ?? Buffer.alloc(0), root, name)
}
