import path from 'node:path/posix'
import type { Archive } from '#lib/core/files/archive/archive-guard.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { BundleLesson } from '../bundle-schema.ts'
import {
  childAt,
  childrenOf,
  decodeMarkupText,
  type MarkupElement,
  parseHtml,
  parseXml,
  textAtPath,
} from '../markup.ts'
import { importAssignment } from '../package/assignment.ts'
import { splitIntoLessons } from '../package/lesson.ts'
import { childrenDeep } from '../package/markup.ts'
import { linkText, type PackageReader } from '../package/package-reader.ts'
import { lessonOfTest } from '../package/test-lesson.ts'
import type { CartridgeTest, TestReader } from '../package/test-reader.ts'
import { type CartridgeLinks, referencesOf } from './links.ts'
import type { ManifestResource, ResourceRole } from './manifest.ts'

export interface CartridgeContext {
  archive: Archive
  reader: PackageReader
  links: CartridgeLinks
  /** Null: tests are only noted. */
  tests: TestReader | null
}

/**
 * Converts a resource to lessons; null and a note if it cannot be imported. The title of the outline precedes its own.
 * Refuses with unprocessable (import_xml).
 */
export async function readResource(
  context: CartridgeContext,
  resource: ManifestResource,
  outlineTitle: string,
): Promise<BundleLesson[] | null> {
  const { archive, reader } = context
  const title = outlineTitle || (await findOwnTitle(context, resource))
  const testLessons = await readTest(context, resource, title)
  if (testLessons) return testLessons
  if (!isImportable(resource.role)) {
    const files = [resource, ...resource.parts].flatMap((part) => part.files)
    reader.notes.add(resource.role, title, {
      files: new Set(files.filter((part) => archive.names.includes(part))).size,
    })
    return null
  }
  if (!archive.names.includes(resource.href)) {
    reader.notes.add('fileMissing', title, { files: 1 })
    return null
  }
  reader.markTaken(resource.href)
  const id = context.links.lessons.get(resource)
  const lesson = { title, ...(id ? { id } : {}) }
  switch (resource.role) {
    case 'page':
      return readResourcePage(context, resource, lesson)
    case 'link':
      reader.count('link')
      return splitIntoLessons(lesson, await readLink(context, resource, title))
    case 'assignment':
      return readAssignment(context, resource, lesson)
    case 'file':
      reader.count('file')
      return splitIntoLessons(lesson, [reader.fileBlock(resource.href, path.basename(resource.href))])
  }
}

/** A test as a lesson that shows it, a bank of questions as none; null for other resources and for what cannot be read. */
async function readTest(
  context: CartridgeContext,
  resource: ManifestResource,
  title: string,
): Promise<BundleLesson[] | null> {
  const { tests, archive, reader, links } = context
  if (!tests || (resource.role !== 'quiz' && resource.role !== 'questionBank')) return null
  const files = [resource, ...resource.parts].flatMap((part) => part.files)
  const source: CartridgeTest = {
    id: resource.id,
    title,
    files: [...new Set(files)].filter((file) => archive.names.includes(file)),
    find: (page) => referencesOf(links, page).file,
  }
  const id = links.lessons.get(resource)
  const read = resource.role === 'quiz' ? await tests.readCartridgeTest(context, source) : null
  const isBank = resource.role === 'questionBank' && (await tests.readCartridgeBank(context, source))
  if (!read && !isBank) return null
  for (const file of source.files) reader.markTaken(file)
  reader.count(read ? 'test' : 'questionBank')
  return read ? lessonOfTest({ title, ...(id ? { id } : {}) }, read) : []
}

type ImportableRole = 'page' | 'link' | 'assignment' | 'file'
const IMPORTABLE: readonly ResourceRole[] = ['page', 'link', 'assignment', 'file'] satisfies ImportableRole[]
const isImportable = (role: ResourceRole): role is ImportableRole => IMPORTABLE.includes(role)

interface LessonHead {
  title: string
  id?: string
}

async function readResourcePage(context: CartridgeContext, resource: ManifestResource, lesson: LessonHead) {
  const { reader } = context
  const html = await readArchiveText(context, resource.href)
  reader.count('page')
  const content = reader.convertHtml(html, lesson.title, referencesOf(context.links, resource.href))
  if (content.length === 0) reader.notes.add('empty', lesson.title)
  return splitIntoLessons({ ...lesson, hidden: parseHead(html).workflow_state === 'unpublished' }, content)
}

async function readLink(context: CartridgeContext, { href }: ManifestResource, title: string) {
  const link = await readXmlFile(context, href, 'webLink')
  return linkText(childAt(link, 'url')?.attributes.href ?? '', textAtPath(link, 'title') || title).content
}

/** The extension of the specification keeps everything in one file; Canvas has an HTML page and a settings file. */
async function readAssignment(context: CartridgeContext, resource: ManifestResource, lesson: LessonHead) {
  const { reader, links } = context
  const references = referencesOf(links, resource.href)
  const isHtml = /\.x?html?$/i.test(resource.href)
  const settingsPath = resource.files.find((file) => path.basename(file) === 'assignment_settings.xml')
  const body = isHtml ? null : await readXmlFile(context, resource.href, 'assignment')
  const extension = childAt(body ?? undefined, 'extensions', 'assignment')
  const settings = isHtml && settingsPath ? await readXmlFile(context, settingsPath, 'assignment') : extension
  const html = body ? textAtPath(body, 'text') : await readArchiveText(context, resource.href)
  const formats = childrenOf(childAt(body ?? undefined, 'submission_formats'), 'format')
  const points =
    textAtPath(settings, 'points_possible') || childAt(body ?? undefined, 'gradable')?.attributes.points_possible
  const attachments = childrenOf(childAt(body ?? undefined, 'attachments'), 'attachment').flatMap(({ attributes }) => {
    return references.file(attributes.href ?? '') ?? []
  })
  return importAssignment(reader, {
    ...lesson,
    title: lesson.title || textAtPath(settings, 'title'),
    hidden: textAtPath(settings, 'workflow_state') === 'unpublished',
    content: reader.convertHtml(html, lesson.title, references),
    files: attachments,
    extensions: textAtPath(settings, 'allowed_extensions')
      .toLowerCase()
      .split(',')
      .map((name) => `.${name.trim()}`),
    points: Number(points ?? 0),
    required: formats.length > 0 || /online_|media_recording|annotation/.test(textAtPath(settings, 'submission_types')),
  })
}

/** Own title of a resource that the outline does not name. */
async function findOwnTitle(context: CartridgeContext, resource: ManifestResource): Promise<string> {
  const fallback = path.basename(resource.href) || resource.id
  if (resource.role === 'file' || resource.role === 'settings') return fallback
  for (const file of [resource, ...resource.parts].flatMap((part) => part.files)) {
    const title = /\.x?html?$/i.test(file)
      ? parseHead(await readArchiveText(context, file)).title
      : /\.(xml|qti)$/i.test(file) && titleOfXml(await tryReadXml(context, file))
    if (title) return title
  }
  return fallback
}

/** The title of a topic, a tool, a quiz or a bank of questions. */
function titleOfXml(root: MarkupElement | null): string {
  if (!root) return ''
  const [assessment] = childrenDeep(root, 'assessment')
  const fields = childrenDeep(root, 'qtimetadatafield')
  const bankTitle = fields.find((field) => textAtPath(field, 'fieldlabel') === 'bank_title')
  return textAtPath(root, 'title') || (assessment?.attributes.title ?? '') || textAtPath(bankTitle, 'fieldentry')
}

/** Canvas writes metadata into the head of a page. */
function parseHead(html: string): Record<string, string> {
  const root = parseHtml(html)
  const metas = childrenDeep(root, 'meta').map(
    ({ attributes: { name = '', content = '' } }) => [name, content] as const,
  )
  const [title] = childrenDeep(root, 'title')
  return { ...Object.fromEntries(metas), title: title ? textAtPath({ ...title, children: [title] }, 'title') : '' }
}

async function readArchiveText({ archive }: CartridgeContext, name: string): Promise<string> {
  return decodeMarkupText((await archive.read(name)) ?? Buffer.alloc(0))
}

async function readXmlFile({ archive }: CartridgeContext, name: string, root: string): Promise<MarkupElement> {
  return parseXml((await archive.read(name)) ?? Buffer.alloc(0), root, name)
}

/** Damaged files are ignored where only the title is needed. */
async function tryReadXml({ archive }: CartridgeContext, name: string): Promise<MarkupElement | null> {
  try {
    const bytes = await archive.read(name)
    return bytes ? parseXml(bytes, null, name) : null
  } catch (error) {
    if (error instanceof Refusal) return null
    throw error
  }
}
