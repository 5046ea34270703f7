import path from 'node:path/posix'
import type { Archive } from '#lib/core/files/archive/archive-guard.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { BundleLesson } from '../bundle-schema.ts'
import { childAt, childrenOf, type MarkupElement, readHtml, readXml, textOf, wordsAt } from '../markup.ts'
import { assignmentOf } from '../package/assignment.ts'
import { lessonsOf } from '../package/lesson.ts'
import { childrenDeep } from '../package/markup.ts'
import { linkText, type PackageReading } from '../package/reading.ts'
import { type CartridgeLinks, referencesOf } from './links.ts'
import type { Resource, Role } from './manifest.ts'

export interface CartridgeReading {
  archive: Archive
  pack: PackageReading
  links: CartridgeLinks
}

/**
 * A resource as lessons, or null with a note. Its title is that of the outline, or else its own. Refuses with
 * unprocessable (import_xml).
 */
export async function readResource(
  reading: CartridgeReading,
  resource: Resource,
  given: string,
): Promise<BundleLesson[] | null> {
  const { archive, pack } = reading
  const title = given || (await ownTitle(reading, resource))
  if (!isImportable(resource.role)) {
    const files = [resource, ...resource.parts].flatMap((one) => one.files)
    pack.notes.add(resource.role, title, { files: new Set(files.filter((one) => archive.names.includes(one))).size })
    return null
  }
  if (!archive.names.includes(resource.href)) {
    pack.notes.add('fileMissing', title, { files: 1 })
    return null
  }
  pack.take(resource.href)
  const id = reading.links.lessons.get(resource)
  const lesson = { title, ...(id ? { id } : {}) }
  switch (resource.role) {
    case 'page':
      return pageOf(reading, resource, lesson)
    case 'link':
      pack.count('link')
      return lessonsOf(lesson, await linkOf(reading, resource, title))
    case 'assignment':
      return readAssignment(reading, resource, lesson)
    case 'file':
      pack.count('file')
      return lessonsOf(lesson, [pack.fileBlock(resource.href, path.basename(resource.href))])
  }
}

type ImportableRole = 'page' | 'link' | 'assignment' | 'file'
const IMPORTABLE: readonly Role[] = ['page', 'link', 'assignment', 'file'] satisfies ImportableRole[]
const isImportable = (role: Role): role is ImportableRole => IMPORTABLE.includes(role)

interface Named {
  title: string
  id?: string
}

async function pageOf(reading: CartridgeReading, resource: Resource, lesson: Named) {
  const { pack } = reading
  const html = await textAt(reading, resource.href)
  pack.count('page')
  const content = pack.text(html, lesson.title, referencesOf(reading.links, resource.href))
  if (content.length === 0) pack.notes.add('empty', lesson.title)
  return lessonsOf({ ...lesson, hidden: metaOf(html).workflow_state === 'unpublished' }, content)
}

async function linkOf(reading: CartridgeReading, { href }: Resource, title: string) {
  const link = await xmlAt(reading, href, 'webLink')
  return linkText(childAt(link, 'url')?.attributes.href ?? '', wordsAt(link, 'title') || title).content
}

/** The extension of the specification keeps all in one file; Canvas a page of HTML and its settings. */
async function readAssignment(reading: CartridgeReading, resource: Resource, lesson: Named) {
  const { pack, links } = reading
  const references = referencesOf(links, resource.href)
  const isHtml = /\.x?html?$/i.test(resource.href)
  const settingsAt = resource.files.find((file) => path.basename(file) === 'assignment_settings.xml')
  const body = isHtml ? null : await xmlAt(reading, resource.href, 'assignment')
  const canvas = childAt(body ?? undefined, 'extensions', 'assignment')
  const settings = isHtml && settingsAt ? await xmlAt(reading, settingsAt, 'assignment') : canvas
  const html = body ? wordsAt(body, 'text') : await textAt(reading, resource.href)
  const formats = childrenOf(childAt(body ?? undefined, 'submission_formats'), 'format')
  const points =
    wordsAt(settings, 'points_possible') || childAt(body ?? undefined, 'gradable')?.attributes.points_possible
  const attached = childrenOf(childAt(body ?? undefined, 'attachments'), 'attachment').flatMap(({ attributes }) => {
    return references.file(attributes.href ?? '') ?? []
  })
  return assignmentOf(pack, {
    ...lesson,
    title: lesson.title || wordsAt(settings, 'title'),
    hidden: wordsAt(settings, 'workflow_state') === 'unpublished',
    content: pack.text(html, lesson.title, references),
    files: attached,
    extensions: wordsAt(settings, 'allowed_extensions')
      .toLowerCase()
      .split(',')
      .map((one) => `.${one.trim()}`),
    points: Number(points ?? 0),
    required: formats.length > 0 || /online_|media_recording|annotation/.test(wordsAt(settings, 'submission_types')),
  })
}

/** What a resource calls itself, for those that stand in no outline. */
async function ownTitle(reading: CartridgeReading, resource: Resource): Promise<string> {
  const otherwise = path.basename(resource.href) || resource.id
  if (resource.role === 'file' || resource.role === 'settings') return otherwise
  for (const file of [resource, ...resource.parts].flatMap((one) => one.files)) {
    const found = /\.x?html?$/i.test(file)
      ? metaOf(await textAt(reading, file)).title
      : /\.(xml|qti)$/i.test(file) && titleIn(await looseXml(reading, file))
    if (found) return found
  }
  return otherwise
}

/** The title of a topic, a tool, a quiz or a bank of questions. */
function titleIn(root: MarkupElement | null): string {
  if (!root) return ''
  const [assessment] = childrenDeep(root, 'assessment')
  const fields = childrenDeep(root, 'qtimetadatafield')
  const bank = fields.find((field) => wordsAt(field, 'fieldlabel') === 'bank_title')
  return wordsAt(root, 'title') || (assessment?.attributes.title ?? '') || wordsAt(bank, 'fieldentry')
}

/** Canvas writes what it knows of a page into its head. */
function metaOf(html: string): Record<string, string> {
  const top = readHtml(html)
  const metas = childrenDeep(top, 'meta').map(({ attributes: { name = '', content = '' } }) => [name, content] as const)
  const [title] = childrenDeep(top, 'title')
  return { ...Object.fromEntries(metas), title: title ? wordsAt({ ...title, children: [title] }, 'title') : '' }
}

async function textAt({ archive }: CartridgeReading, name: string): Promise<string> {
  return textOf((await archive.read(name)) ?? Buffer.alloc(0))
}

async function xmlAt({ archive }: CartridgeReading, name: string, root: string): Promise<MarkupElement> {
  return readXml((await archive.read(name)) ?? Buffer.alloc(0), root, name)
}

/** What is only looked at for a title may be damaged. */
async function looseXml({ archive }: CartridgeReading, name: string): Promise<MarkupElement | null> {
  try {
    const bytes = await archive.read(name)
    return bytes ? readXml(bytes, null, name) : null
  } catch (error) {
    if (error instanceof Refusal) return null
    throw error
  }
}
