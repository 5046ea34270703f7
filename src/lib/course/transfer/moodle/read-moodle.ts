import path from 'node:path/posix'
import { newId } from '#lib/core/db/id.ts'
import type { Archive } from '#lib/core/files/archive/archive-guard.ts'
import type { LessonNode } from '#lib/core/shared/lesson-doc.ts'
import type { BundleLesson, BundleModule } from '../bundle-schema.ts'
import type { Incoming } from '../incoming.ts'
import { lessonHref } from '../incoming-doc.ts'
import { childAt, childrenOf, type MarkupElement, wordsAt } from '../markup.ts'
import type { PackageLabels } from '../package/labels.ts'
import { contentOf, lessonsOf } from '../package/lesson.ts'
import { docOf, moduleOf, PackageReading, type References, titleOf } from '../package/reading.ts'
import type { SourceItems } from '../schema.ts'
import { type Activity, isImported, readActivity } from './activity.ts'
import { moodleFiles } from './files.ts'
import { readPart } from './part.ts'
import { type MoodleReading, textAt } from './source.ts'
import { noteQuestions, noteUnused, type ReadContext } from './unused.ts'

export const MOODLE_MANIFEST = 'moodle_backup.xml'

/**
 * A course backup of Moodle 2 and later: sections with pages, labels, lessons, books, glossaries, assignments, files,
 * folders and links. Every other activity is noted with the number of its files, and so is every file that nothing
 * imported refers to. Source: Moodle's backup format 2.0 (docs.moodle.org/dev/Backup_2.0_general_architecture).
 * Refuses with unprocessable (import_xml).
 */
export async function readMoodle(archive: Archive, scratch: string, labels: PackageLabels): Promise<Incoming> {
  const manifest = await readPart(archive, MOODLE_MANIFEST, 'moodle_backup')
  const information = childAt(manifest, 'information')
  const contents = childAt(information, 'contents')
  const activities = childrenOf(childAt(contents, 'activities'), 'activity').map(activityOf)
  const pack = new PackageReading(archive, scratch)
  const links = linksOf(activities, wordsAt(information, 'original_wwwroot'))
  const reading: MoodleReading = { archive, pack, files: await moodleFiles(archive), links }
  const about = await courseOf(reading)
  const title = titleOf(wordsAt(information, 'original_course_fullname') || about.title, 'Moodle')

  const state: State = { reading, source: { found: 0, imported: 0, listed: 0 }, contexts: new Map() }
  const modules: BundleModule[] = []
  const waiting = new Set(activities)
  for (const section of childrenOf(childAt(contents, 'sections'), 'section')) {
    const id = wordsAt(section, 'sectionid')
    const own = activities.filter(({ sectionId }) => sectionId === id)
    for (const activity of own) waiting.delete(activity)
    const directory = path.normalize(wordsAt(section, 'directory'))
    const made = await moduleOfSection(state, { directory, activities: own, number: modules.length + 1 })
    if (made) modules.push(made)
  }
  const { lessons, tail } = await readAll(state, [...waiting], [])
  const loose = [...lessons, ...(tail.length > 0 ? lessonsOf({ title: labels.notPlaced }, tail) : [])]
  if (loose.length > 0) modules.push(moduleOf(labels.notPlaced, loose))
  await noteQuestions(reading)
  noteUnused(reading, state.contexts)
  const { files, notes, tasks, imported } = pack
  const description = about.summary.length > 0 ? { description: docOf(about.summary) } : {}
  const cover = about.cover ? { coverFileId: about.cover } : {}
  return {
    format: 'moodle',
    course: { title, ...description, ...cover },
    modules,
    files,
    tasks,
    imported,
    source: state.source,
    notes: notes.list,
    more: null,
  }
}

interface State {
  reading: MoodleReading
  source: SourceItems
  contexts: Map<string, ReadContext>
}

const activityOf = (one: MarkupElement): Activity => ({
  id: wordsAt(one, 'moduleid'),
  sectionId: wordsAt(one, 'sectionid'),
  kind: wordsAt(one, 'modulename'),
  title: wordsAt(one, 'title'),
  directory: path.normalize(wordsAt(one, 'directory')),
  lessonId: newId(),
})

/**
 * Links between activities: `$@PAGEVIEWBYID*12@$` as Moodle writes them into a backup, and full addresses of the site
 * that the backup comes from.
 */
function linksOf(activities: readonly Activity[], site: string): Pick<References, 'page' | 'origin'> {
  const lessons = new Map(activities.filter(({ kind }) => isImported(kind)).map(({ id, lessonId }) => [id, lessonId]))
  const known = new Set(activities.map(({ id }) => id))
  const page = (href: string) => {
    const coded = /^\$@([A-Z0-9]+)\*(\d+)/.exec(href)
    if (coded) {
      const lessonId = /VIEWBYID/.test(coded[1] ?? '') ? lessons.get(coded[2] ?? '') : undefined
      return lessonId ? lessonHref(lessonId) : null
    }
    if (site === '' || !href.startsWith(`${site}/mod/`)) return undefined
    const id = URL.parse(href)?.searchParams.get('id') ?? ''
    const lessonId = lessons.get(id)
    return lessonId ? lessonHref(lessonId) : known.has(id) ? null : undefined
  }
  return { page, ...(URL.canParse(site) ? { origin: site } : {}) }
}

async function courseOf(reading: MoodleReading): Promise<{ title: string; summary: LessonNode[]; cover?: string }> {
  const name = 'course/course.xml'
  if (!reading.archive.names.includes(name)) return { title: '', summary: [] }
  const body = await readPart(reading.archive, name, 'course')
  const mine = reading.files.filter(({ component }) => component === 'course')
  const title = wordsAt(body, 'fullname')
  const summary = textAt({ ...reading, title, body, mine }, body, 'summary', { area: 'summary' })
  const cover = mine.find((file) => file.area === 'overviewfiles' && /\.(png|jpe?g|gif|webp)$/i.test(file.name))
  return { title, summary, ...(cover ? { cover: reading.pack.pictureId(cover.path, cover.name) } : {}) }
}

interface SectionSource {
  directory: string
  activities: readonly Activity[]
  number: number
}

async function moduleOfSection(state: State, { directory, activities, number }: SectionSource) {
  const { reading } = state
  const name = `${directory}/section.xml`
  const body = reading.archive.names.includes(name)
    ? await readPart(reading.archive, name, 'section')
    : { name: 'section', attributes: {}, children: [] }
  const title = wordsAt(body, 'name') || String(number)
  const mine = reading.files.filter(({ component, area }) => component === 'course' && area === 'section')
  const item = body.attributes.id
  const summary = textAt({ ...reading, title, body, mine }, body, 'summary', { area: 'section', item })
  if (summary.length > 0) reading.pack.count('section')
  const { lessons, tail } = await readAll(state, sorted(activities, wordsAt(body, 'sequence')), summary)
  if (tail.length > 0) lessons.push(...lessonsOf({ title }, tail))
  if (lessons.length === 0) return null
  return { ...moduleOf(title, lessons), hidden: wordsAt(body, 'visible') === '0' }
}

/** In the order of the section; what it does not name follows. */
function sorted(activities: readonly Activity[], sequence: string): Activity[] {
  const order = new Map(sequence.split(',').map((id, index) => [id, index]))
  const placeOf = ({ id }: Activity) => order.get(id) ?? order.size
  return [...activities].sort((a, b) => placeOf(a) - placeOf(b))
}

/** Texts that Moodle shows between activities stand at the head of the next lesson; `tail` is what has none. */
async function readAll(state: State, activities: readonly Activity[], before: LessonNode[]) {
  const { reading, source } = state
  const lessons: BundleLesson[] = []
  let waiting = before
  for (const activity of activities) {
    const read = await readActivity(reading, activity)
    if (activity.kind === 'subsection') continue
    if (read.context) state.contexts.set(read.context, { title: read.title, kind: read.listedAs })
    source.found += 1
    source[read.listedAs ? 'listed' : 'imported'] += 1
    waiting.push(...read.inline)
    const [first, ...rest] = read.lessons
    if (!first) continue
    // A text that students see must not move into a lesson that they do not.
    const before = first.hidden ? [] : waiting
    lessons.push({ ...first, blocks: docOf([...before, ...contentOf(first)]) }, ...rest)
    if (!first.hidden) waiting = []
  }
  return { lessons, tail: waiting }
}
