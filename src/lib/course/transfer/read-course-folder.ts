import { open, readdir, readFile, realpath, stat } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { LessonDoc } from '#lib/core/shared/lesson-doc.ts'
import { docFromMarkdown } from './markdown/markdown.ts'

interface FolderLesson {
  title: string
  minutes?: number
  doc: LessonDoc
}
interface FolderModule {
  title: string
  description?: string
  lessons: FolderLesson[]
}
export interface FolderCourse {
  title: string
  shortDescription: string
  description?: LessonDoc
  level?: 'beginner' | 'middle' | 'advanced'
  language: 'uk' | 'en'
  /** Absolute path of the cover picture. */
  coverPath?: string
  modules: FolderModule[]
  /** `src` of an image node (its path inside the course folder) to the absolute path of the file. */
  images: Record<string, string>
}

const MAX_FILE_BYTES = 5 * 1024 * 1024
const IMAGE_TYPES = new Set(['.png', '.jpg', '.jpeg', '.webp', '.gif', '.avif'])

export const CourseFrontMatter = z.object({
  title: z.string().min(1).max(160),
  shortDescription: z.string().max(300).default(''),
  level: z.enum(['beginner', 'middle', 'advanced']).optional(),
  language: z.enum(['uk', 'en']).default('uk'),
  cover: z.string().optional(),
})
const ModuleFrontMatter = z.object({ title: z.string().min(1).max(160) })
export const LessonFrontMatter = z.object({
  title: z.string().min(1).max(160),
  minutes: z.coerce.number().int().min(1).max(600).optional(),
})

interface FolderContext {
  root: string
  images: Record<string, string>
}

/**
 * Converts a folder of Markdown to a course: `course.md`, then folders `01-name` with `module.md` and lessons
 * `01-name.md`. Refuses with `invalid` and `fields.folder`: no course.md, no lessons, bad front matter, a file or
 * picture outside the folder (by path or symbolic link), a picture of an unknown type, a file over 5 MB. The format is
 * described in docs/sample-course.
 */
export async function readCourseFolder(directory: string): Promise<FolderCourse> {
  const root = await realpath(directory).catch(() => refuseFolder('import_no_course', { path: directory }))
  const folder: FolderContext = { root, images: {} }
  if (!(await isFile(path.join(root, 'course.md')))) refuseFolder('import_no_course', { path: directory })

  const front = await readFolderPage(folder, 'course.md', CourseFrontMatter)
  const modules: FolderModule[] = []
  for (const name of await listNumbered(root, '')) {
    const module = await readModule(folder, name)
    if (module) modules.push(module)
  }
  if (modules.length === 0) refuseFolder('import_no_lessons', { path: directory })

  const { cover, ...settings } = front.head
  const description = front.body === '' ? undefined : docFromMarkdown(front.body, () => null)
  const coverPath = cover === undefined ? undefined : (await findImage(folder, 'course.md', cover)).file
  return { ...settings, description, coverPath, modules, images: folder.images }
}

async function readModule(folder: FolderContext, name: string): Promise<FolderModule | null> {
  const directory = path.join(folder.root, name)
  if (!(await stat(directory)).isDirectory()) return null
  const files = await listNumbered(directory, '.md')
  if (files.length === 0) return null
  const front = await readFolderPage(folder, path.join(name, 'module.md'), ModuleFrontMatter)
  const lessons: FolderLesson[] = []
  for (const file of files) lessons.push(await readLesson(folder, path.join(name, file)))
  return { ...front.head, description: front.body || undefined, lessons }
}

async function readLesson(folder: FolderContext, page: string): Promise<FolderLesson> {
  const { head, body } = await readFolderPage(folder, page, LessonFrontMatter)
  // The document is created twice: between both passes images are read from the disk, while the conversion has to be
  // synchronous.
  const urls = new Set<string>()
  docFromMarkdown(body, (url) => {
    if (isLocal(url)) urls.add(url)
    return null
  })
  const sources = new Map<string, string>()
  for (const url of urls) {
    const image = await findImage(folder, page, url)
    sources.set(url, image.src)
    folder.images[image.src] = image.file
  }
  return { ...head, doc: docFromMarkdown(body, (url) => sources.get(url) ?? null) }
}

/** Images of other sites are not downloaded: they are kept as links. */
function isLocal(url: string): boolean {
  return url !== '' && !/^([a-z][a-z0-9+.-]*:|\/\/|#)/i.test(url)
}

async function findImage(folder: FolderContext, page: string, address: string): Promise<{ src: string; file: string }> {
  const variables = { ref: address, path: page }
  const filePath = path.resolve(folder.root, path.dirname(page), decodeUri(address))
  if (!isPrivateAddress(folder.root, filePath)) refuseFolder('import_image_outside', variables)
  if (!IMAGE_TYPES.has(path.extname(filePath).toLowerCase())) refuseFolder('import_image_type', variables)
  const file = await realpath(filePath).catch(() => refuseFolder('import_image_missing', variables))
  if (!isPrivateAddress(folder.root, file)) refuseFolder('import_image_outside', variables)
  const stats = await stat(file)
  if (!stats.isFile()) refuseFolder('import_image_missing', variables)
  const src = path.relative(folder.root, filePath).split(path.sep).join('/')
  if (stats.size > MAX_FILE_BYTES) refuseFolder('import_file_too_large', { path: src })
  if (!(await looksLikeImage(file))) refuseFolder('import_image_type', variables)
  return { src, file }
}

function decodeUri(address: string): string {
  try {
    return decodeURIComponent(address).replaceAll('\0', '')
  } catch {
    return address
  }
}

/** Checks the magic number of the format, since a file extension is not reliable. */
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

/** Names that start with a number, in natural order: 2 before 10. */
async function listNumbered(directory: string, extension: string): Promise<string[]> {
  const names = await readdir(directory)
  const order = new Intl.Collator('uk', { numeric: true })
  return names.filter((name) => /^\d/.test(name) && name.endsWith(extension)).sort(order.compare)
}

async function readFolderPage<Head>(folder: FolderContext, page: string, schema: z.ZodType<Head>) {
  const file = await realpath(path.join(folder.root, page)).catch(() =>
    refuseFolder('import_front_matter', { path: page, reason: 'ENOENT' }),
  )
  if (!isPrivateAddress(folder.root, file)) refuseFolder('import_image_outside', { ref: page, path: page })
  if ((await stat(file)).size > MAX_FILE_BYTES) refuseFolder('import_file_too_large', { path: page })
  const { head, body } = splitFrontMatter(await readFile(file, 'utf8'))
  const parsed = schema.safeParse(head)
  if (parsed.success) return { head: parsed.data, body }
  const reason = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; ')
  return refuseFolder('import_front_matter', { path: page, reason })
}

/** Parses the subset of YAML that front matter uses: `key: value` lines between two `---`, quotes allowed. */
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

function isPrivateAddress(root: string, file: string): boolean {
  const relative = path.relative(root, file)
  return relative !== '' && relative.split(path.sep)[0] !== '..' && !path.isAbsolute(relative)
}

async function isFile(file: string): Promise<boolean> {
  return stat(file).then(
    (stats) => stats.isFile(),
    () => false,
  )
}

function refuseFolder(key: string, variables: Record<string, string | number>): never {
  throw new Refusal('invalid', { fields: { folder: [key] }, variables })
}
