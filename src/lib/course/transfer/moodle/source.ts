import path from 'node:path/posix'
import type { Archive } from '#lib/core/files/archive/archive-guard.ts'
import type { LessonNode } from '#lib/core/shared/lesson-doc.ts'
import { escapeText } from '#lib/core/shared/text/escape.ts'
import { decodeMarkupText, type MarkupElement, textAtPath } from '../markup.ts'
import { type AddressReferences, decodeUri, isPrivateHref, type PackageReader } from '../package/package-reader.ts'
import type { TestReader } from '../package/test-reader.ts'
import { createFinder, type MoodleFile } from './files.ts'

export interface MoodleContext {
  archive: Archive
  reader: PackageReader
  files: readonly MoodleFile[]
  /** Null: tests are only noted. */
  tests: TestReader | null
  /** Addresses of other activities. */
  links: Pick<AddressReferences, 'page' | 'origin'>
}

/** The activity or section whose texts are converted. */
export interface ActivitySource extends MoodleContext {
  title: string
  body: MarkupElement
  /** Files of its context. */
  ownFiles: readonly MoodleFile[]
}

/** Converts a text of Moodle by the format field of its element; `area` and `item` select the files that it shows. */
export function readText(
  { reader, links, title, ownFiles }: ActivitySource,
  element: MarkupElement,
  name: string,
  { area, item }: { area: string; item?: string | undefined },
): LessonNode[] {
  const text = textAtPath(element, name)
  if (!text) return []
  const html = toHtml(text, textAtPath(element, `${name}format`))
  return reader.convertHtml(html, title, { ...links, file: createFinder(ownFiles, area, item) })
}

/**
 * Moodle's formats: 0 is HTML with significant line ends, 1 is HTML, 2 is plain text, 4 is Markdown, which is treated
 * as plain text.
 */
function toHtml(text: string, format: string): string {
  const withLineBreaks = () => text.replaceAll('\n', '<br>')
  if (format === '0') return text.includes('<p') || text.includes('<div') ? text : withLineBreaks()
  if (format !== '2' && format !== '4') return text
  return escapeText(text).replaceAll('\n', '<br>')
}

/** The files of an activity; HTML pages among them are converted. */
export async function readActivityFiles(source: ActivitySource): Promise<LessonNode[]> {
  const { reader, title, ownFiles } = source
  const files = ownFiles.filter(({ area }) => area === 'content')
  if (files.length === 0) reader.notes.add('fileMissing', title, { files: 1 })
  const blocks: LessonNode[] = []
  for (const file of files) {
    const page = /\.x?html?$/i.test(file.name) ? await readMoodlePage(source, file) : null
    blocks.push(...(page ?? [reader.fileBlock(file.path, file.name)]))
  }
  return blocks
}

async function readMoodlePage(
  { archive, reader, links, title, ownFiles }: ActivitySource,
  page: MoodleFile,
): Promise<LessonNode[] | null> {
  const bytes = await archive.read(page.path)
  if (!bytes) return null
  const findByPath = createFinder(ownFiles, 'content')
  const file = (address: string) => {
    if (!isPrivateHref(address)) return findByPath(address)
    const filePath = path.join(page.folder, decodeUri(address.split(/[?#]/)[0] ?? ''))
    return ownFiles.find(({ folder, name }) => folder + name === filePath) ?? null
  }
  reader.markTaken(page.path)
  return reader.convertHtml(decodeMarkupText(bytes), title, { ...links, file })
}
