import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { newId } from '#lib/core/db/id.ts'
import type { Archive } from '#lib/core/files/archive/archive-guard.ts'
import { DOCUMENT_SPLITS, type DocumentSplit } from '#lib/core/shared/learning.ts'
import { srcOf } from '#lib/core/shared/lesson-doc.ts'
import { FILE_PATH } from '#lib/core/shared/stored-file.ts'
import { docFromNodes, type HtmlResolver } from '../html.ts'
import { type CourseFile, type ImportedCourse, ImportNotes } from '../imported-course.ts'
import { splitIntoLessons } from '../package/lesson.ts'
import { cleanTitle, createModule, embedBlock, isBlank } from '../package/package-reader.ts'
import type { DocumentPreview } from '../schema.ts'
import { readDocxMarkup } from './docx-markup.ts'
import { digestOf, noteOmitted } from './docx-omitted.ts'
import { type DocumentPart, defaultSplit, separateTitle, splitDocument } from './docx-split.ts'

/** Maximum number of titles in a preview. */
const MAX_PREVIEW_TITLES = 100

/**
 * Converts a document of Word or Google Docs to lessons, split as chosen or by `defaultSplit`; the title of the
 * document, or a single heading before all others, becomes the title of the course. Refuses as docxMarkup.
 */
export async function readDocx(
  archive: Archive,
  file: { name: string; split?: DocumentSplit | null },
  scratch: string,
): Promise<ImportedCourse> {
  const files: CourseFile[] = []
  const storedDigests = new Set<string>()
  const nodes = await readDocxMarkup(archive, async (bytes, contentType) => {
    const id = newId()
    const imagePath = path.join(scratch, `picture-${files.length}`)
    await writeFile(imagePath, bytes)
    const name = `${files.length + 1}.${/^image\/([a-z]{3,4})/.exec(contentType)?.[1] ?? 'bin'}`
    files.push({ id, name, description: '', redraw: true, source: { path: imagePath } })
    storedDigests.add(digestOf(bytes))
    return srcOf(id)
  })
  const notes = new ImportNotes()
  await noteOmitted(archive, storedDigests, notes)
  const { title, body } = separateTitle(nodes)
  const courseTitle = courseTitleOf(title, file)
  const reading = resolverFor(notes, courseTitle)
  const split = splitDocument(body, file.split ?? defaultSplit(body))
  const parts = split.length > 0 ? split : splitDocument(body, 'headings')
  const lessonsOf = (part: DocumentPart) => {
    const { content } = docFromNodes(part.nodes, reading)
    return part.title === null && isBlank({ type: 'doc', content })
      ? []
      : splitIntoLessons({ title: part.title ?? courseTitle }, content)
  }
  const modules = groupByModule(parts).map((list) =>
    createModule(cleanTitle(list[0]?.module ?? courseTitle), list.flatMap(lessonsOf)),
  )
  return {
    format: 'docx',
    course: { title: courseTitle },
    modules,
    files,
    notes: notes.list,
    bundleJson: null,
  }
}

/** Consecutive parts of one module; all parts of a document that is not split into modules. */
function groupByModule(parts: readonly DocumentPart[]): DocumentPart[][] {
  const groups: DocumentPart[][] = []
  for (const part of parts) {
    const group = groups.at(-1)
    if (group && group[0]?.module === part.module) group.push(part)
    else groups.push([part])
  }
  return groups
}

/** The lessons that each way to split a document would create, without images. Refuses as docxMarkup. */
export async function previewDocx(archive: Archive, file: { name: string }): Promise<DocumentPreview> {
  const { title, body } = separateTitle(await readDocxMarkup(archive, null))
  const courseTitle = courseTitleOf(title, file)
  const titlesOf = (parts: readonly DocumentPart[]) =>
    parts.map(({ title: name, module }) =>
      cleanTitle(module && module !== name ? `${module} \u2192 ${name ?? courseTitle}` : (name ?? courseTitle)),
    )
  const options = DOCUMENT_SPLITS.map((split) => ({ split, titles: titlesOf(splitDocument(body, split)) })).filter(
    ({ split, titles }) => split === 'none' || titles.length > 1,
  )
  const suggested = defaultSplit(body)
  return {
    title: courseTitle,
    defaultSplit: options.some(({ split }) => split === suggested) ? suggested : 'none',
    options: options.map(({ split, titles }) => ({
      split,
      lessons: titles.length,
      titles: titles.slice(0, MAX_PREVIEW_TITLES),
    })),
  }
}

const courseTitleOf = (title: string, { name }: { name: string }): string =>
  cleanTitle(title, cleanTitle(name.replace(/\.docx$/i, '')))

function resolverFor(notes: ImportNotes, title: string): HtmlResolver {
  return {
    picture: (src) => (src.startsWith(FILE_PATH) ? src : null),
    file: embedBlock,
    frame: (src) => {
      notes.add('frame', title)
      return embedBlock(src)
    },
  }
}
