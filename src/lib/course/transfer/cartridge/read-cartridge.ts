import path from 'node:path/posix'
import { newId } from '#lib/core/db/id.ts'
import type { Archive } from '#lib/core/files/archive/archive-guard.ts'
import type { LessonNode } from '#lib/core/shared/lesson-doc.ts'
import type { BundleLesson, BundleModule } from '../bundle-schema.ts'
import type { Incoming } from '../incoming.ts'
import { lessonHref } from '../incoming-doc.ts'
import { readXml } from '../markup.ts'
import type { PackageLabels } from '../package/labels.ts'
import { contentOf, heading, lessonsOf } from '../package/lesson.ts'
import { docOf, linkText, moduleOf, PackageReading, titleOf } from '../package/reading.ts'
import { everyItem, linksOf } from './links.ts'
import { type Item, type Manifest, manifestOf, type Resource } from './manifest.ts'
import { type CartridgeReading, readResource } from './resource.ts'

export const CARTRIDGE_MANIFEST = 'imsmanifest.xml'

/**
 * A Common Cartridge (IMS 1.0 to 1.3, and the exports of Canvas and others that follow it): pages, files, links and
 * assignments in their outline, then those that stand in none. Every other resource of the manifest is noted. Source:
 * 1EdTech "Common Cartridge 1.3 Implementation". Refuses with unprocessable (import_xml, import_empty).
 */
export async function readCartridge(archive: Archive, scratch: string, labels: PackageLabels): Promise<Incoming> {
  const bytes = (await archive.read(CARTRIDGE_MANIFEST)) ?? Buffer.alloc(0)
  const manifest = manifestOf(readXml(bytes, 'manifest', CARTRIDGE_MANIFEST))
  const title = titleOf(manifest.title, 'Common Cartridge')
  const pack = new PackageReading(archive, scratch)
  const reading = { archive, pack, links: linksOf(manifest, archive.names, lessonIds(manifest)) }
  const outline: Outline = { reading, done: new Map() }
  const modules = await modulesOf(outline, manifest, title)
  const rest = await notPlaced(outline, manifest, labels)
  if (rest.length > 0) modules.push(moduleOf(labels.notPlaced, rest))
  noteOthers(reading)
  const shortDescription = manifest.description.slice(0, 300).trim()
  const listed = [...outline.done].filter(([, lessons]) => lessons === null)
  const { files, notes, tasks, imported } = pack
  return {
    format: 'commonCartridge',
    course: { title, shortDescription },
    modules,
    files,
    tasks,
    imported,
    notes: notes.list,
    more: null,
    source: { found: manifest.found, imported: manifest.found - count(listed), listed: count(listed) },
  }
}

interface Outline {
  reading: CartridgeReading
  /** Resources that were read; null are those that are in the notes. */
  done: Map<Resource, BundleLesson[] | null>
}

const count = (resources: readonly (readonly [Resource, unknown])[]): number =>
  resources.reduce((sum, [{ parts }]) => sum + 1 + parts.length, 0)

/** Files become lessons of their own in the outline only; elsewhere they are part of a page. */
function lessonIds({ resources, items }: Manifest): Map<Resource, string> {
  const placed = new Set(everyItem(items).map(({ resource }) => resource))
  const own = resources.filter(({ role }) => role === 'page' || role === 'link' || role === 'assignment')
  const files = resources.filter((one) => one.role === 'file' && placed.has(one))
  return new Map([...own, ...files].map((resource) => [resource, newId()]))
}

async function modulesOf(outline: Outline, { items }: Manifest, title: string): Promise<BundleModule[]> {
  const tops = items.flatMap((item) =>
    // The specification wants one root item that has no title of its own.
    item.resource || item.title ? [item] : item.children,
  )
  const modules: BundleModule[] = []
  let loose: Item[] = []
  const close = async () => {
    if (loose.length > 0) modules.push(moduleOf(title, await lessonsIn(outline, loose, title)))
    loose = []
  }
  for (const top of tops) {
    if (top.children.length === 0 && top.resource) loose.push(top)
    else {
      await close()
      const own = top.resource ? [{ ...top, children: [] }] : []
      modules.push(
        moduleOf(top.title || title, await lessonsIn(outline, [...own, ...top.children], top.title || title)),
      )
    }
  }
  await close()
  return modules
}

/** All items at any depth, in order: an outline has two levels. Titles between them head the next lesson. */
async function lessonsIn(outline: Outline, items: readonly Item[], title: string): Promise<BundleLesson[]> {
  const lessons: BundleLesson[] = []
  let before: LessonNode[] = []
  for (const item of everyItem(items)) {
    if (!item.resource) {
      if (item.title) before.push(heading(item.title))
      continue
    }
    const [first, ...rest] = (await lessonsOfItem(outline, item, item.resource)) ?? []
    if (!first) continue
    lessons.push({ ...first, blocks: docOf([...before, ...contentOf(first)]) }, ...rest)
    before = []
  }
  return before.length > 0 ? [...lessons, ...lessonsOf({ title }, before)] : lessons
}

/** What stands in the outline twice is a lesson once, and a link to it then. */
async function lessonsOfItem({ reading, done }: Outline, { title }: Item, resource: Resource) {
  const known = done.get(resource)
  if (known === null) return null
  const [first] = known ?? []
  if (first) return lessonsOf({ title: title || first.title }, linkText(lessonHref(first.id), first.title).content)
  const lessons = await readResource(reading, resource, title)
  done.set(resource, lessons)
  return lessons
}

/** Resources that no outline names: pages, links and assignments as lessons, files that no page shows in one lesson. */
async function notPlaced(outline: Outline, { resources }: Manifest, labels: PackageLabels): Promise<BundleLesson[]> {
  const { reading, done } = outline
  const { pack, archive } = reading
  const waiting = resources.filter((one) => !done.has(one))
  const lessons: BundleLesson[] = []
  for (const resource of waiting.filter(({ role }) => role !== 'file')) {
    const made = await readResource(reading, resource, '')
    done.set(resource, made)
    lessons.push(...(made ?? []))
  }
  const blocks: LessonNode[] = []
  for (const resource of waiting.filter(({ role }) => role === 'file')) {
    const files = resource.files.filter((file) => archive.names.includes(file))
    if (files.length === 0) pack.notes.add('fileMissing', path.basename(resource.href) || resource.id, { files: 1 })
    done.set(resource, files.length > 0 ? [] : null)
    const unused = files.filter((file) => !pack.hasTaken(file))
    pack.count('file', unused.length > 0 ? 1 : 0)
    blocks.push(...unused.map((file) => pack.fileBlock(file, path.basename(file))))
  }
  return blocks.length > 0 ? [...lessons, ...lessonsOf({ title: labels.files }, blocks)] : lessons
}

/** Notes files of the archive that the manifest does not name. */
function noteOthers({ archive, pack, links }: CartridgeReading): void {
  const named = new Set([...links.byFile.keys(), CARTRIDGE_MANIFEST])
  for (const one of links.byId.values()) for (const part of one.parts) for (const file of part.files) named.add(file)
  for (const name of archive.names) {
    if (named.has(name) || pack.hasTaken(name)) continue
    pack.notes.add(/^(course_settings|non_cc_assessments)\//.test(name) ? 'settings' : 'filesUnused', name, {
      files: 1,
    })
  }
}
