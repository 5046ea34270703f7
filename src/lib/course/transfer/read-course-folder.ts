import { open, readdir, readFile, realpath, stat } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { LessonDoc } from '#lib/core/shared/lesson-doc.ts'
import { docFromMarkdown } from './markdown/markdown.ts'

export interface LessonBundle {
  title: string
  minutes?: number
  doc: LessonDoc
}
export interface ModuleBundle {
  title: string
  description?: string
  lessons: LessonBundle[]
}
export interface CourseBundle {
  title: string
  shortDescription: string
  description?: LessonDoc
  level?: 'beginner' | 'middle' | 'advanced'
  language: 'uk' | 'en'
  /** Absolute path of the cover picture. */
  coverPath?: string
  modules: ModuleBundle[]
  /** `src` of an image node (its path inside the course folder) to the absolute path of the file. */
  images: Record<string, string>
}

const LARGEST = 5 * 1024 * 1024
const IMAGE_TYPES = new Set(['.png', '.jpg', '.jpeg', '.webp', '.gif', '.avif'])

export const CourseFront = z.object({
  title: z.string().min(1).max(160),
  shortDescription: z.string().max(300).default(''),
  level: z.enum(['beginner', 'middle', 'advanced']).optional(),
  language: z.enum(['uk', 'en']).default('uk'),
  cover: z.string().optional(),
})
const ModuleFront = z.object({ title: z.string().min(1).max(160) })
export const LessonFront = z.object({
  title: z.string().min(1).max(160),
  minutes: z.coerce.number().int().min(1).max(600).optional(),
})

interface Folder {
  root: string
  images: Record<string, string>
}

/**
 * A folder of Markdown to a course: `course.md`, then folders `01-name` with `module.md` and lessons `01-name.md`.
 * Refuses with `invalid` and `fields.folder`: no course.md, no lessons, bad front matter, a file or picture outside
 * the folder (by path or symbolic link), a picture of an unknown type, a file over 5 MB. The format: docs/sample-course.
 */
export async function readCourseFolder(directory: string): Promise<CourseBundle> {
  const root = await realpath(directory).catch(() => refuse('import_no_course', { path: directory }))
  const folder: Folder = { root, images: {} }
  if (!(await isThere(path.join(root, 'course.md')))) refuse('import_no_course', { path: directory })

  const front = await readPage(folder, 'course.md', CourseFront)
  const modules: ModuleBundle[] = []
  for (const name of await numbered(root, '')) {
    const module = await readModule(folder, name)
    if (module) modules.push(module)
  }
  if (modules.length === 0) refuse('import_no_lessons', { path: directory })

  const { cover, ...about } = front.head
  const description = front.body === '' ? undefined : docFromMarkdown(front.body, () => null)
  const coverPath = cover === undefined ? undefined : (await findImage(folder, 'course.md', cover)).file
  return { ...about, description, coverPath, modules, images: folder.images }
}

async function readModule(folder: Folder, name: string): Promise<ModuleBundle | null> {
  const about = path.join(folder.root, name)
  if (!(await stat(about)).isDirectory()) return null
  const files = await numbered(about, '.md')
  if (files.length === 0) return null
  const front = await readPage(folder, path.join(name, 'module.md'), ModuleFront)
  const lessons: LessonBundle[] = []
  for (const file of files) lessons.push(await readLesson(folder, path.join(name, file)))
  return { ...front.head, description: front.body || undefined, lessons }
}

async function readLesson(folder: Folder, page: string): Promise<LessonBundle> {
  const { head, body } = await readPage(folder, page, LessonFront)
  // The document is made twice: pictures are looked up on the disk between, and making it has to stay synchronous.
  const wanted = new Set<string>()
  docFromMarkdown(body, (url) => {
    if (isLocal(url)) wanted.add(url)
    return null
  })
  const sources = new Map<string, string>()
  for (const url of wanted) {
    const found = await findImage(folder, page, url)
    sources.set(url, found.src)
    folder.images[found.src] = found.file
  }
  return { ...head, doc: docFromMarkdown(body, (url) => sources.get(url) ?? null) }
}

/** Pictures of other sites are not fetched: they stay as links. */
function isLocal(url: string): boolean {
  return url !== '' && !/^([a-z][a-z0-9+.-]*:|\/\/|#)/i.test(url)
}

async function findImage(folder: Folder, page: string, ref: string): Promise<{ src: string; file: string }> {
  const about = { ref, path: page }
  const wanted = path.resolve(folder.root, path.dirname(page), decoded(ref))
  if (!isInside(folder.root, wanted)) refuse('import_image_outside', about)
  if (!IMAGE_TYPES.has(path.extname(wanted).toLowerCase())) refuse('import_image_type', about)
  const file = await realpath(wanted).catch(() => refuse('import_image_missing', about))
  if (!isInside(folder.root, file)) refuse('import_image_outside', about)
  const found = await stat(file)
  if (!found.isFile()) refuse('import_image_missing', about)
  const src = path.relative(folder.root, wanted).split(path.sep).join('/')
  if (found.size > LARGEST) refuse('import_file_too_large', { path: src })
  if (!(await looksLikeImage(file))) refuse('import_image_type', about)
  return { src, file }
}

function decoded(ref: string): string {
  try {
    return decodeURIComponent(ref).replaceAll('\0', '')
  } catch {
    return ref
  }
}

/** First bytes by the formats' own specifications: an extension alone proves nothing. */
async function looksLikeImage(file: string): Promise<boolean> {
  const handle = await open(file)
  try {
    const start = Buffer.alloc(12)
    await handle.read(start, 0, 12, 0)
    const latin = start.toString('latin1')
    return (
      latin.startsWith('\x89PNG\r\n\x1a\n') ||
      latin.startsWith('\xff\xd8\xff') ||
      latin.startsWith('GIF8') ||
      (latin.startsWith('RIFF') && latin.endsWith('WEBP')) ||
      latin.slice(4).startsWith('ftypavi')
    )
  } finally {
    await handle.close()
  }
}

/** Names that begin with a number, in the order a person would count them: 2 before 10. */
async function numbered(directory: string, extension: string): Promise<string[]> {
  const names = await readdir(directory)
  const order = new Intl.Collator('uk', { numeric: true })
  return names.filter((name) => /^\d/.test(name) && name.endsWith(extension)).sort(order.compare)
}

async function readPage<Head>(folder: Folder, page: string, schema: z.ZodType<Head>) {
  const file = await realpath(path.join(folder.root, page)).catch(() =>
    refuse('import_front_matter', { path: page, reason: 'ENOENT' }),
  )
  if (!isInside(folder.root, file)) refuse('import_image_outside', { ref: page, path: page })
  if ((await stat(file)).size > LARGEST) refuse('import_file_too_large', { path: page })
  const { head, body } = splitFrontMatter(await readFile(file, 'utf8'))
  const parsed = schema.safeParse(head)
  if (parsed.success) return { head: parsed.data, body }
  const reason = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; ')
  return refuse('import_front_matter', { path: page, reason })
}

/** The simple part of YAML that front matter needs: `key: value` lines between two `---`, quotes allowed. */
export function splitFrontMatter(source: string): { head: Record<string, string>; body: string } {
  const [, front, body] = /^\uFEFF?---\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n([\s\S]*))?$/.exec(source) ?? []
  if (front === undefined) return { head: {}, body: source.trim() }
  const pairs = front.split(/\r?\n/).flatMap((line) => {
    const [, key, value] = /^([A-Za-z]\w*):(.*)$/.exec(line.trim()) ?? []
    return key === undefined || value === undefined
      ? []
      : [[key, value.trim().replace(/^(["'])(.*)\1$/, '$2')] as const]
  })
  return { head: Object.fromEntries(pairs), body: (body ?? '').trim() }
}

function isInside(root: string, file: string): boolean {
  const relative = path.relative(root, file)
  return relative !== '' && relative.split(path.sep)[0] !== '..' && !path.isAbsolute(relative)
}

async function isThere(file: string): Promise<boolean> {
  return stat(file).then(
    (found) => found.isFile(),
    () => false,
  )
}

function refuse(key: string, variables: Record<string, string | number>): never {
  throw new Refusal('invalid', { fields: { folder: [key] }, variables })
}
