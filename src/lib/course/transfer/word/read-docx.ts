import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { newId } from '#lib/core/db/id.ts'
import type { Archive } from '#lib/core/files/archive/archive-guard.ts'
import { DOCUMENT_SPLITS, type DocumentSplit } from '#lib/core/shared/learning.ts'
import { srcOf } from '#lib/core/shared/lesson-doc.ts'
import { docFromNodes, type HtmlReading } from '../html.ts'
import { type Incoming, type IncomingFile, Notes } from '../incoming.ts'
import { lessonsOf } from '../package/lesson.ts'
import { embedBlock, isBlank, moduleOf, titleOf } from '../package/reading.ts'
import type { DocumentPreview } from '../schema.ts'
import { docxMarkup } from './docx-markup.ts'
import { digestOf, noteSkipped } from './docx-skipped.ts'
import { type DocumentPart, defaultSplit, splitDocument, titledDocument } from './docx-split.ts'

/** Titles that a preview shows. */
const SHOWN = 100

/**
 * A document of Word or Google Docs in lessons, split as chosen or as `defaultSplit` finds best; the document's title,
 * or a lone heading before all others, names the course. Refuses as docxMarkup.
 */
export async function readDocx(
  archive: Archive,
  file: { name: string; split?: DocumentSplit | null },
  scratch: string,
): Promise<Incoming> {
  const files: IncomingFile[] = []
  const kept = new Set<string>()
  const nodes = await docxMarkup(archive, async (bytes, contentType) => {
    const id = newId()
    const place = path.join(scratch, `picture-${files.length}`)
    await writeFile(place, bytes)
    const name = `${files.length + 1}.${/^image\/([a-z]{3,4})/.exec(contentType)?.[1] ?? 'bin'}`
    files.push({ id, name, description: '', redraw: true, place: { path: place } })
    kept.add(digestOf(bytes))
    return srcOf(id)
  })
  const notes = new Notes()
  await noteSkipped(archive, kept, notes)
  const { title, body } = titledDocument(nodes)
  const courseTitle = courseTitleOf(title, file)
  const reading = readingOf(notes, courseTitle)
  const parts = splitDocument(body, file.split ?? defaultSplit(body))
  const lessons = parts.flatMap((part) => {
    const { content } = docFromNodes(part.nodes, reading)
    return part.title === null && isBlank({ type: 'doc', content })
      ? []
      : lessonsOf({ title: part.title ?? courseTitle }, content)
  })
  return {
    format: 'docx',
    course: { title: courseTitle },
    modules: [moduleOf(courseTitle, lessons)],
    files,
    notes: notes.list,
    more: null,
  }
}

/** The lessons that each way to split a document would make, without any of its images. Refuses as docxMarkup. */
export async function previewDocx(archive: Archive, file: { name: string }): Promise<DocumentPreview> {
  const { title, body } = titledDocument(await docxMarkup(archive, null))
  const courseTitle = courseTitleOf(title, file)
  const titlesOf = (parts: readonly DocumentPart[]) => parts.map((part) => titleOf(part.title ?? courseTitle))
  const ways = DOCUMENT_SPLITS.map((split) => ({ split, titles: titlesOf(splitDocument(body, split)) })).filter(
    ({ split, titles }) => split === 'none' || titles.length > 1,
  )
  const best = defaultSplit(body)
  return {
    title: courseTitle,
    chosen: ways.some(({ split }) => split === best) ? best : 'none',
    ways: ways.map(({ split, titles }) => ({ split, lessons: titles.length, titles: titles.slice(0, SHOWN) })),
  }
}

const courseTitleOf = (title: string, { name }: { name: string }): string =>
  titleOf(title, titleOf(name.replace(/\.docx$/i, '')))

function readingOf(notes: Notes, title: string): HtmlReading {
  return {
    picture: (src) => (src.startsWith('/v1/file/') ? src : null),
    file: embedBlock,
    frame: (src) => {
      notes.add('frame', title)
      return embedBlock(src)
    },
  }
}
