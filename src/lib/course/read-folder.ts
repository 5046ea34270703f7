import { copyFile, mkdir } from 'node:fs/promises'
import path from 'node:path'
import { newId } from '#lib/core/db/id.ts'
import type { Archive } from '#lib/core/files/archive.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { readCourseFolder } from './import-markdown.ts'
import type { Incoming, IncomingFile } from './incoming.ts'
import { lessonOf, moduleOf } from './package-reading.ts'
import { type LessonDoc, type LessonNode, srcOf } from './schema.ts'

/** Texts and pictures: nothing else of a Markdown folder is read. */
const WANTED = /\.(md|png|jpe?g|webp|gif|avif)$/i

/**
 * A folder of Markdown in a ZIP, as docs/sample-course shows it. `top` is the folder inside of the archive. Paths were
 * checked when the archive was opened. Refuses as `readCourseFolder`, in whose words `folder` is the archive.
 */
export async function readFolder(archive: Archive, top: string, scratch: string): Promise<Incoming> {
  const root = path.join(scratch, 'folder')
  const inside = top === '.' ? '' : `${top}/`
  for (const name of archive.names) {
    if (!name.startsWith(inside) || !WANTED.test(name)) continue
    const place = path.join(root, name.slice(inside.length))
    // A name may be a file here and a folder there: no folder of Markdown is like that.
    await mkdir(path.dirname(place), { recursive: true }).catch(() => {
      throw new Refusal('unprocessable', { fields: { file: ['archive_damaged'] } })
    })
    await archive.extract(name, place)
  }
  const { modules, images, coverPath, title, shortDescription, description, level, language } = await readCourseFolder(
    root,
  ).catch((error: unknown) => {
    if (!(error instanceof Refusal)) throw error
    const { fields, variables } = error.details
    // Where we have put it is nobody's business.
    const place = variables?.path === root ? top : (variables?.path ?? top)
    const said = { fields: { file: fields?.folder ?? [] }, variables: { ...variables, path: place } }
    throw new Refusal('unprocessable', said)
  })
  const files = new Map<string, IncomingFile>()
  const take = (place: string): string => {
    const known = files.get(place)
    if (known) return known.id
    const extract = (to: string) => copyFile(place, to).then(() => true)
    const file = { id: newId(), name: path.basename(place), description: '', redraw: true, extract }
    files.set(place, file)
    return file.id
  }
  const placed = (doc: LessonDoc) => withSources(doc, (src) => srcOf(take(images[src] ?? src)))
  const cover = coverPath ? { coverFileId: take(coverPath) } : {}
  return {
    format: 'markdown',
    course: { title, shortDescription, language, description: description ?? null, level: level ?? null, ...cover },
    modules: modules.map((module) =>
      moduleOf(
        module.title,
        module.lessons.map((one) => ({
          ...lessonOf(one.title, placed(one.doc)),
          durationMinutes: one.minutes ?? null,
        })),
        module.description,
      ),
    ),
    files: [...files.values()],
    ...{ notes: [], more: null },
  }
}

function withSources(doc: LessonDoc, srcFor: (src: string) => string): LessonDoc {
  const placed = (node: LessonNode): LessonNode => ({
    ...node,
    ...(node.type === 'image' ? { attrs: { ...node.attrs, src: srcFor(String(node.attrs?.src)) } } : {}),
    ...(node.content ? { content: node.content.map(placed) } : {}),
  })
  return { ...doc, content: doc.content.map(placed) }
}
