import path from 'node:path/posix'
import { newId } from '#lib/core/db/id.ts'
import type { Archive } from '#lib/core/files/archive/archive-guard.ts'
import type { LessonNode } from '#lib/core/shared/lesson-doc.ts'
import type { BundleLesson, BundleModule } from '../bundle-schema.ts'
import type { ImportedCourse } from '../imported-course.ts'
import { parseXml } from '../markup.ts'
import type { PackageLabels } from '../package/labels.ts'
import { contentOfLesson, heading, splitIntoLessons } from '../package/lesson.ts'
import { cleanTitle, createDoc, createModule, linkText, PackageReader } from '../package/package-reader.ts'
import type { TestReader } from '../package/test-reader.ts'
import { lessonHref } from '../replace-ids.ts'
import { buildLinks, flattenItems } from './links.ts'
import { type CartridgeManifest, type ManifestItem, type ManifestResource, parseManifest } from './manifest.ts'
import { type CartridgeContext, readResource } from './resource.ts'

export const CARTRIDGE_MANIFEST = 'imsmanifest.xml'

/**
 * A Common Cartridge (IMS 1.0 to 1.3, and the exports of Canvas and others that follow it): pages, files, links,
 * assignments and tests in the order of the outline, then those that are not in it. Every other resource of the manifest
 * is noted. Source: 1EdTech "Common Cartridge 1.3 Implementation". Refuses with unprocessable (import_xml, import_empty).
 */
export async function readCartridge(
  archive: Archive,
  scratch: string,
  labels: PackageLabels,
  tests: TestReader | null,
): Promise<ImportedCourse> {
  const bytes = (await archive.read(CARTRIDGE_MANIFEST)) ?? Buffer.alloc(0)
  const manifest = parseManifest(parseXml(bytes, 'manifest', CARTRIDGE_MANIFEST))
  const title = cleanTitle(manifest.title, 'Common Cartridge')
  const reader = new PackageReader(archive, scratch)
  const lessonIds = assignLessonIds(manifest, tests !== null)
  const context = { archive, reader, tests, links: buildLinks(manifest, archive.names, lessonIds) }
  const outline: OutlineState = { context, read: new Map() }
  const modules = await buildModules(outline, manifest, title)
  const unplaced = await readUnplaced(outline, manifest, labels)
  if (unplaced.length > 0) modules.push(createModule(labels.notPlaced, unplaced))
  noteUnlistedFiles(context)
  const shortDescription = manifest.description.slice(0, 300).trim()
  const listedResources = [...outline.read].filter(([, lessons]) => lessons === null)
  const { files, notes, tasks, imported } = reader
  return {
    format: 'commonCartridge',
    course: { title, shortDescription },
    modules,
    files,
    tasks,
    imported,
    notes: notes.list,
    bundleJson: null,
    source: {
      found: manifest.found,
      imported: manifest.found - countResources(listedResources),
      listed: countResources(listedResources),
    },
  }
}

interface OutlineState {
  context: CartridgeContext
  /** Lessons by resource; null for resources that are only noted. */
  read: Map<ManifestResource, BundleLesson[] | null>
}

const countResources = (resources: readonly (readonly [ManifestResource, unknown])[]): number =>
  resources.reduce((sum, [{ parts }]) => sum + 1 + parts.length, 0)

/** A file becomes a lesson only if the outline names it; otherwise it is part of a page. */
function assignLessonIds({ resources, items }: CartridgeManifest, hasTests: boolean): Map<ManifestResource, string> {
  const placed = new Set(flattenItems(items).map(({ resource }) => resource))
  const pages = resources.filter(
    ({ role }) => role === 'page' || role === 'link' || role === 'assignment' || (hasTests && role === 'quiz'),
  )
  const files = resources.filter((resource) => resource.role === 'file' && placed.has(resource))
  return new Map([...pages, ...files].map((resource) => [resource, newId()]))
}

async function buildModules(
  outline: OutlineState,
  { items }: CartridgeManifest,
  title: string,
): Promise<BundleModule[]> {
  const topItems = items.flatMap((item) =>
    // The specification requires one root item without a title.
    item.resource || item.title ? [item] : item.children,
  )
  const modules: BundleModule[] = []
  let loose: ManifestItem[] = []
  const closeModule = async () => {
    if (loose.length > 0) modules.push(createModule(title, await readLessons(outline, loose, title)))
    loose = []
  }
  for (const topItem of topItems) {
    if (topItem.children.length === 0 && topItem.resource) loose.push(topItem)
    else {
      await closeModule()
      const ownItem = topItem.resource ? [{ ...topItem, children: [] }] : []
      modules.push(
        createModule(
          topItem.title || title,
          await readLessons(outline, [...ownItem, ...topItem.children], topItem.title || title),
        ),
      )
    }
  }
  await closeModule()
  return modules
}

/**
 * Lessons of all items at any depth, in order: an outline has two levels. Titles of intermediate levels become headings
 * of the next lesson.
 */
async function readLessons(
  outline: OutlineState,
  items: readonly ManifestItem[],
  title: string,
): Promise<BundleLesson[]> {
  const lessons: BundleLesson[] = []
  let headings: LessonNode[] = []
  for (const item of flattenItems(items)) {
    if (!item.resource) {
      if (item.title) headings.push(heading(item.title))
      continue
    }
    const [first, ...rest] = (await readItem(outline, item, item.resource)) ?? []
    if (!first) continue
    lessons.push({ ...first, blocks: createDoc([...headings, ...contentOfLesson(first)]) }, ...rest)
    headings = []
  }
  return headings.length > 0 ? [...lessons, ...splitIntoLessons({ title }, headings)] : lessons
}

/** A resource that is listed twice in the outline becomes one lesson and one link to it. */
async function readItem({ context, read }: OutlineState, { title }: ManifestItem, resource: ManifestResource) {
  const earlier = read.get(resource)
  if (earlier === null) return null
  const [first] = earlier ?? []
  if (first)
    return splitIntoLessons({ title: title || first.title }, linkText(lessonHref(first.id), first.title).content)
  const lessons = await readResource(context, resource, title)
  read.set(resource, lessons)
  return lessons
}

/**
 * Resources that are not in the outline: pages, links and assignments as lessons, files that no page shows in one
 * lesson.
 */
async function readUnplaced(
  outline: OutlineState,
  { resources }: CartridgeManifest,
  labels: PackageLabels,
): Promise<BundleLesson[]> {
  const { context, read } = outline
  const { reader, archive } = context
  const remaining = resources.filter((resource) => !read.has(resource))
  const lessons: BundleLesson[] = []
  for (const resource of remaining.filter(({ role }) => role !== 'file')) {
    const resourceLessons = await readResource(context, resource, '')
    read.set(resource, resourceLessons)
    lessons.push(...(resourceLessons ?? []))
  }
  const blocks: LessonNode[] = []
  for (const resource of remaining.filter(({ role }) => role === 'file')) {
    const files = resource.files.filter((file) => archive.names.includes(file))
    if (files.length === 0) reader.notes.add('fileMissing', path.basename(resource.href) || resource.id, { files: 1 })
    read.set(resource, files.length > 0 ? [] : null)
    const unused = files.filter((file) => !reader.hasTaken(file))
    reader.count('file', unused.length > 0 ? 1 : 0)
    blocks.push(...unused.map((file) => reader.fileBlock(file, path.basename(file))))
  }
  return blocks.length > 0 ? [...lessons, ...splitIntoLessons({ title: labels.files }, blocks)] : lessons
}

/** Notes files of the archive that the manifest does not name. */
function noteUnlistedFiles({ archive, reader, links }: CartridgeContext): void {
  const listedFiles = new Set([...links.byFile.keys(), CARTRIDGE_MANIFEST])
  for (const resource of links.byId.values())
    for (const part of resource.parts) for (const file of part.files) listedFiles.add(file)
  for (const name of archive.names) {
    if (listedFiles.has(name) || reader.hasTaken(name)) continue
    reader.notes.add(/^(course_settings|non_cc_assessments)\//.test(name) ? 'settings' : 'filesUnused', name, {
      files: 1,
    })
  }
}
