import path from 'node:path/posix'
import type { Archive } from '#lib/core/files/archive.ts'
import type { BundleLesson } from './bundle-schema.ts'
import type { Incoming } from './incoming.ts'
import { childAt, childrenOf, type MarkupElement, readXml, textOf, wordsAt } from './markup.ts'
import {
  decoded,
  docOf,
  type Finder,
  innerPath,
  isBlank,
  lessonOf,
  linkText,
  moduleOf,
  PackageReading,
  titleOf,
} from './package-reading.ts'
import type { NoteKind } from './transfer-schema.ts'

export const CARTRIDGE_MANIFEST = 'imsmanifest.xml'

interface Resource {
  type: string
  href: string
  files: string[]
}

interface Reading {
  archive: Archive
  pack: PackageReading
  resources: Map<string, Resource>
  title: string
}

/**
 * A Common Cartridge (IMS 1.0 to 1.3, and the exports of Canvas and others that follow it): pages, files, links and the
 * outline. Tests, discussions and tools are named in the notes. Source: 1EdTech "Common Cartridge 1.3 Implementation",
 * the namespaces of versions differ, the names do not. Refuses with unprocessable (import_xml, import_empty).
 */
export async function readCartridge(archive: Archive): Promise<Incoming> {
  const manifest = readXml((await archive.read(CARTRIDGE_MANIFEST)) ?? Buffer.alloc(0), 'manifest', CARTRIDGE_MANIFEST)
  const general = childAt(manifest, 'metadata', 'lom', 'general')
  const organization = childAt(manifest, 'organizations', 'organization')
  const title = titleOf(wordsAt(general, 'title', 'string') || wordsAt(organization, 'title'), 'Common Cartridge')
  const pack = new PackageReading(archive)
  const reading = { archive, pack, resources: resourcesOf(manifest), title }
  const tops = childrenOf(organization, 'item').flatMap((item) =>
    // The specification wants one root item that has no title of its own.
    item.attributes.identifierref || wordsAt(item, 'title') ? [item] : childrenOf(item, 'item'),
  )
  const modules = []
  let loose: BundleLesson[] = []
  for (const top of tops) {
    const lessons = await lessonsOf(top, reading)
    if (childrenOf(top, 'item').length === 0) loose.push(...lessons)
    else {
      if (loose.length > 0) modules.push(moduleOf(title, loose))
      loose = []
      modules.push(moduleOf(wordsAt(top, 'title') || title, lessons))
    }
  }
  if (loose.length > 0) modules.push(moduleOf(title, loose))
  const shortDescription = wordsAt(general, 'description', 'string').slice(0, 300).trim()
  const { files, notes } = pack
  return {
    format: 'commonCartridge',
    ...{ course: { title, shortDescription }, modules, files, notes: notes.list, more: null },
  }
}

function resourcesOf(manifest: MarkupElement): Map<string, Resource> {
  const found = new Map<string, Resource>()
  for (const resource of childrenOf(childAt(manifest, 'resources'), 'resource')) {
    const { identifier = '', type = '', href = '' } = resource.attributes
    const base = resource.attributes['xml:base'] ?? resource.attributes.base ?? ''
    const at = (one: string) => path.normalize(path.join(base, decoded(one)))
    const files = childrenOf(resource, 'file').flatMap(({ attributes }) =>
      attributes.href ? [at(attributes.href)] : [],
    )
    found.set(identifier, { type, href: href ? at(href) : (files[0] ?? ''), files })
  }
  return found
}

/** An item and all below it, in order: our outline has two levels. */
async function lessonsOf(item: MarkupElement, reading: Reading): Promise<BundleLesson[]> {
  const own = await lessonOfItem(item, reading)
  const lessons = own ? [own] : []
  for (const child of childrenOf(item, 'item')) lessons.push(...(await lessonsOf(child, reading)))
  return lessons
}

async function lessonOfItem(item: MarkupElement, reading: Reading): Promise<BundleLesson | null> {
  const { identifierref } = item.attributes
  const resource = identifierref ? reading.resources.get(identifierref) : undefined
  if (!resource) return null
  const title = wordsAt(item, 'title') || path.basename(resource.href)
  const left = leftBehind(resource.type)
  if (left) {
    reading.pack.notes.add(left, title)
    return null
  }
  if (/^imswl_/.test(resource.type)) return lessonOf(title, await linkOf(resource, title, reading))
  if (/\.x?html?$/i.test(resource.href)) return pageOf(resource, title, reading)
  if (!reading.archive.names.includes(resource.href)) {
    reading.pack.notes.add('fileMissing', title)
    return null
  }
  return lessonOf(title, docOf([reading.pack.fileBlock(resource.href, path.basename(resource.href))]))
}

const LEFT: readonly [RegExp, NoteKind][] = [
  [/^imsqti|\/assessment$|question-bank/, 'quiz'],
  [/^imsdt_/, 'forum'],
  [/^imsbasiclti_/, 'lti'],
  [/^assignment_/, 'assignment'],
]

const leftBehind = (type: string): NoteKind | null => LEFT.find(([pattern]) => pattern.test(type))?.[1] ?? null

async function linkOf({ href }: Resource, title: string, { archive }: Reading) {
  const link = readXml((await archive.read(href)) ?? Buffer.alloc(0), 'webLink', href)
  return linkText(childAt(link, 'url')?.attributes.href ?? '', wordsAt(link, 'title') || title)
}

async function pageOf({ href }: Resource, title: string, { archive, pack }: Reading): Promise<BundleLesson | null> {
  const bytes = await archive.read(href)
  if (!bytes) {
    pack.notes.add('fileMissing', title)
    return null
  }
  const blocks = pack.text(textOf(bytes), title, finderOf(href, archive))
  if (isBlank(blocks)) pack.notes.add('empty', title)
  return lessonOf(title, blocks)
}

/** Addresses of a page: relative to it, or to the package's folder of files, as Canvas and the specification write. */
function finderOf(page: string, { names }: Archive): Finder {
  const known = new Set(names)
  return (address) => {
    const [, inBase] = /^(?:\$|%24)IMS[-_]CC[-_]FILEBASE(?:\$|%24)\/?(.*)$/i.exec(address) ?? []
    const bare = decoded((inBase ?? '').split(/[?#]/)[0] ?? '').replace(/^(\.\.\/)+/, '')
    const paths = inBase === undefined ? [innerPath(page, address)] : [`web_resources/${bare}`, bare]
    const found = paths.find((one) => one !== null && known.has(one))
    return found ? { path: found, name: path.basename(found) } : null
  }
}
