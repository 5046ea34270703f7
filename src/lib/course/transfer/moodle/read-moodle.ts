import path from 'node:path/posix'
import { newId } from '#lib/core/db/id.ts'
import type { Archive } from '#lib/core/files/archive/archive-guard.ts'
import type { LessonNode } from '#lib/core/shared/lesson-doc.ts'
import type { BundleLesson, BundleModule } from '../bundle-schema.ts'
import type { ImportedCourse } from '../imported-course.ts'
import { childAt, childrenOf, type MarkupElement, textAtPath } from '../markup.ts'
import type { PackageLabels } from '../package/labels.ts'
import { contentOfLesson, splitIntoLessons } from '../package/lesson.ts'
import {
  type AddressReferences,
  cleanTitle,
  createDoc,
  createModule,
  PackageReader,
} from '../package/package-reader.ts'
import type { TestReader } from '../package/test-reader.ts'
import { lessonHref } from '../replace-ids.ts'
import type { SourceItems } from '../schema.ts'
import { type Activity, isImported, readActivity } from './activity.ts'
import { readFiles } from './files.ts'
import { noteQuestions, noteUnused, type ReadContext } from './note-unused.ts'
import { readPart } from './read-part.ts'
import { type MoodleContext, readText } from './source.ts'

export const MOODLE_MANIFEST = 'moodle_backup.xml'

/**
 * A course backup of Moodle 2 and later: sections with pages, labels, lessons, books, glossaries, assignments, files,
 * folders, links and quizzes with the question bank. Every other activity is noted with the number of its files, as is
 * every file that no imported content refers to. Source: Moodle's backup format 2.0
 * (docs.moodle.org/dev/Backup_2.0_general_architecture). Refuses with unprocessable (import_xml).
 */
export async function readMoodleCourse(
  archive: Archive,
  scratch: string,
  labels: PackageLabels,
  tests: TestReader | null,
): Promise<ImportedCourse> {
  const manifest = await readPart(archive, MOODLE_MANIFEST, 'moodle_backup')
  const information = childAt(manifest, 'information')
  const contents = childAt(information, 'contents')
  const activities = childrenOf(childAt(contents, 'activities'), 'activity').map(parseActivity)
  const reader = new PackageReader(archive, scratch)
  const links = createLinks(activities, textAtPath(information, 'original_wwwroot'), tests !== null)
  const context: MoodleContext = { archive, reader, files: await readFiles(archive), links, tests }
  if (tests) await tests.readMoodleBank(context, context.files)
  const courseInfo = await readCourse(context)
  const title = cleanTitle(textAtPath(information, 'original_course_fullname') || courseInfo.title, 'Moodle')

  const state: ImportState = { context, source: { found: 0, imported: 0, listed: 0 }, contexts: new Map() }
  const modules: BundleModule[] = []
  const unplaced = new Set(activities)
  for (const section of childrenOf(childAt(contents, 'sections'), 'section')) {
    const id = textAtPath(section, 'sectionid')
    const sectionActivities = activities.filter(({ sectionId }) => sectionId === id)
    for (const activity of sectionActivities) unplaced.delete(activity)
    const directory = path.normalize(textAtPath(section, 'directory'))
    const module = await readSection(state, { directory, activities: sectionActivities, number: modules.length + 1 })
    if (module) modules.push(module)
  }
  const { lessons, tail } = await readActivities(state, [...unplaced], [])
  const looseLessons = [...lessons, ...(tail.length > 0 ? splitIntoLessons({ title: labels.notPlaced }, tail) : [])]
  if (looseLessons.length > 0) modules.push(createModule(labels.notPlaced, looseLessons))
  if (!tests) await noteQuestions(context)
  noteUnused(context, state.contexts)
  const { files, notes, tasks, imported } = reader
  const description = courseInfo.summary.length > 0 ? { description: createDoc(courseInfo.summary) } : {}
  const cover = courseInfo.cover ? { coverFileId: courseInfo.cover } : {}
  return {
    format: 'moodle',
    course: { title, ...description, ...cover },
    modules,
    files,
    tasks,
    imported,
    source: state.source,
    notes: notes.list,
    bundleJson: null,
  }
}

interface ImportState {
  context: MoodleContext
  source: SourceItems
  contexts: Map<string, ReadContext>
}

const parseActivity = (element: MarkupElement): Activity => ({
  id: textAtPath(element, 'moduleid'),
  sectionId: textAtPath(element, 'sectionid'),
  kind: textAtPath(element, 'modulename'),
  title: textAtPath(element, 'title'),
  directory: path.normalize(textAtPath(element, 'directory')),
  lessonId: newId(),
})

/**
 * Links between activities: `$@PAGEVIEWBYID*12@$` as Moodle writes them into a backup, and full URLs of the source
 * site.
 */
function createLinks(
  activities: readonly Activity[],
  site: string,
  hasTests: boolean,
): Pick<AddressReferences, 'page' | 'origin'> {
  const withLesson = activities.filter(({ kind }) => isImported(kind) || (hasTests && kind === 'quiz'))
  const lessons = new Map(withLesson.map(({ id, lessonId }) => [id, lessonId]))
  const knownIds = new Set(activities.map(({ id }) => id))
  const page = (href: string) => {
    const coded = /^\$@([A-Z0-9]+)\*(\d+)/.exec(href)
    if (coded) {
      const lessonId = /VIEWBYID/.test(coded[1] ?? '') ? lessons.get(coded[2] ?? '') : undefined
      return lessonId ? lessonHref(lessonId) : null
    }
    if (site === '' || !href.startsWith(`${site}/mod/`)) return undefined
    const id = URL.parse(href)?.searchParams.get('id') ?? ''
    const lessonId = lessons.get(id)
    return lessonId ? lessonHref(lessonId) : knownIds.has(id) ? null : undefined
  }
  return { page, ...(URL.canParse(site) ? { origin: site } : {}) }
}

async function readCourse(context: MoodleContext): Promise<{ title: string; summary: LessonNode[]; cover?: string }> {
  const name = 'course/course.xml'
  if (!context.archive.names.includes(name)) return { title: '', summary: [] }
  const body = await readPart(context.archive, name, 'course')
  const courseFiles = context.files.filter(({ component }) => component === 'course')
  const title = textAtPath(body, 'fullname')
  const summary = readText({ ...context, title, body, ownFiles: courseFiles }, body, 'summary', { area: 'summary' })
  const cover = courseFiles.find((file) => file.area === 'overviewfiles' && /\.(png|jpe?g|gif|webp)$/i.test(file.name))
  return { title, summary, ...(cover ? { cover: context.reader.pictureId(cover.path, cover.name) } : {}) }
}

interface SectionSource {
  directory: string
  activities: readonly Activity[]
  number: number
}

async function readSection(state: ImportState, { directory, activities, number }: SectionSource) {
  const { context } = state
  const name = `${directory}/section.xml`
  const body = context.archive.names.includes(name)
    ? await readPart(context.archive, name, 'section')
    : { name: 'section', attributes: {}, children: [] }
  const title = textAtPath(body, 'name') || String(number)
  const sectionFiles = context.files.filter(({ component, area }) => component === 'course' && area === 'section')
  const item = body.attributes.id
  const summary = readText({ ...context, title, body, ownFiles: sectionFiles }, body, 'summary', {
    area: 'section',
    item,
  })
  if (summary.length > 0) context.reader.count('section')
  const { lessons, tail } = await readActivities(
    state,
    sortActivities(activities, textAtPath(body, 'sequence')),
    summary,
  )
  if (tail.length > 0) lessons.push(...splitIntoLessons({ title }, tail))
  if (lessons.length === 0) return null
  return { ...createModule(title, lessons), hidden: textAtPath(body, 'visible') === '0' }
}

/** In the order of the section; activities that it does not list follow. */
function sortActivities(activities: readonly Activity[], sequence: string): Activity[] {
  const order = new Map(sequence.split(',').map((id, index) => [id, index]))
  const positionOf = ({ id }: Activity) => order.get(id) ?? order.size
  return [...activities].sort((a, b) => positionOf(a) - positionOf(b))
}

/**
 * Texts that Moodle shows between activities are inserted at the beginning of the next lesson; `tail` contains those
 * without a next lesson.
 */
async function readActivities(state: ImportState, activities: readonly Activity[], before: LessonNode[]) {
  const { context, source } = state
  const lessons: BundleLesson[] = []
  let pendingText = before
  for (const activity of activities) {
    const result = await readActivity(context, activity)
    if (activity.kind === 'subsection') continue
    if (result.context) state.contexts.set(result.context, { title: result.title, kind: result.noteKind })
    source.found += 1
    source[result.noteKind ? 'listed' : 'imported'] += 1
    pendingText.push(...result.inline)
    const [first, ...rest] = result.lessons
    if (!first) continue
    // A visible text must not be moved into a hidden lesson.
    const before = first.hidden ? [] : pendingText
    lessons.push({ ...first, blocks: createDoc([...before, ...contentOfLesson(first)]) }, ...rest)
    if (!first.hidden) pendingText = []
  }
  return { lessons, tail: pendingText }
}
