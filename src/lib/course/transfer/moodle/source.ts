import path from 'node:path/posix'
import type { Archive } from '#lib/core/files/archive/archive-guard.ts'
import type { LessonNode } from '#lib/core/shared/lesson-doc.ts'
import { type MarkupElement, textOf, wordsAt } from '../markup.ts'
import { decoded, isInside, type PackageReading, type References } from '../package/reading.ts'
import { type MoodleFile, moodleFinder } from './files.ts'

export interface MoodleReading {
  archive: Archive
  pack: PackageReading
  files: readonly MoodleFile[]
  /** Addresses of other activities. */
  links: Pick<References, 'page' | 'origin'>
}

/** One activity, or a section, whose texts are read. */
export interface Source extends MoodleReading {
  title: string
  body: MarkupElement
  /** Files of its context. */
  mine: readonly MoodleFile[]
}

/** A text of Moodle with the format that stands beside it; `area` and `item` say which files it shows. */
export function textAt(
  { pack, links, title, mine }: Source,
  element: MarkupElement,
  name: string,
  { area, item }: { area: string; item?: string | undefined },
): LessonNode[] {
  const text = wordsAt(element, name)
  if (!text) return []
  const html = asHtml(text, wordsAt(element, `${name}format`))
  return pack.text(html, title, { ...links, file: moodleFinder(mine, area, item) })
}

/** Moodle's formats: 0 is HTML whose line ends count, 1 is HTML, 2 is plain text, 4 is Markdown, read as plain text. */
function asHtml(text: string, format: string): string {
  const broken = () => text.replaceAll('\n', '<br>')
  if (format === '0') return text.includes('<p') || text.includes('<div') ? text : broken()
  if (format !== '2' && format !== '4') return text
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('\n', '<br>')
}

/** The files that an activity offers; pages of HTML among them are read. */
export async function filesOf(from: Source): Promise<LessonNode[]> {
  const { pack, title, mine } = from
  const files = mine.filter(({ area }) => area === 'content')
  if (files.length === 0) pack.notes.add('fileMissing', title, { files: 1 })
  const blocks: LessonNode[] = []
  for (const file of files) {
    const page = /\.x?html?$/i.test(file.name) ? await pageOf(from, file) : null
    blocks.push(...(page ?? [pack.fileBlock(file.path, file.name)]))
  }
  return blocks
}

async function pageOf({ archive, pack, links, title, mine }: Source, page: MoodleFile): Promise<LessonNode[] | null> {
  const bytes = await archive.read(page.path)
  if (!bytes) return null
  const named = moodleFinder(mine, 'content')
  const file = (address: string) => {
    if (!isInside(address)) return named(address)
    const wanted = path.join(page.folder, decoded(address.split(/[?#]/)[0] ?? ''))
    return mine.find(({ folder, name }) => folder + name === wanted) ?? null
  }
  pack.take(page.path)
  return pack.text(textOf(bytes), title, { ...links, file })
}
