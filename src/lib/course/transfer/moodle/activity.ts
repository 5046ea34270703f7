import type { Archive } from '#lib/core/files/archive/archive-guard.ts'
import { dictionary } from '#lib/core/shared/dictionary.ts'
import type { LessonNode } from '#lib/core/shared/lesson-doc.ts'
import type { BundleLesson } from '../bundle-schema.ts'
import { childAt, childrenOf, wordsAt } from '../markup.ts'
import { assignmentOf } from '../package/assignment.ts'
import { heading, lessonsOf } from '../package/lesson.ts'
import { linkText } from '../package/reading.ts'
import type { NoteKind } from '../schema.ts'
import { lessonPages } from './lesson.ts'
import { readPart } from './part.ts'
import { filesOf, type MoodleReading, type Source, textAt } from './source.ts'

export interface Activity {
  id: string
  sectionId: string
  /** Moodle's name of the module: page, label, url, resource, folder, book ... */
  kind: string
  title: string
  directory: string
  /** Of the lesson that it becomes. */
  lessonId: string
}

export interface ReadActivity {
  lessons: BundleLesson[]
  /** Shown between the activities in Moodle: belongs to the next lesson. */
  inline: LessonNode[]
  /** The context that its files belong to. */
  context: string
  /** The title that the activity has in the course, or in its note. */
  title: string
  /** Null: imported. */
  listedAs: NoteKind | null
}

/** Assignments, and those of Moodle before 2.3. */
const ASSIGNMENTS = new Set(['assign', 'assignment'])
/** Moodle's modules that are imported. Subsections have no content: their section is imported like any other. */
const READ = new Set(['page', 'label', 'url', 'resource', 'folder', 'book', 'lesson', 'glossary', ...ASSIGNMENTS])
const LISTED = dictionary<NoteKind>({
  quiz: 'quiz',
  forum: 'forum',
  hsuforum: 'forum',
  chat: 'forum',
  feedback: 'survey',
  survey: 'survey',
  choice: 'survey',
  questionnaire: 'survey',
  scorm: 'package',
  imscp: 'package',
  h5pactivity: 'package',
  hvp: 'package',
  lti: 'lti',
})

export const isImported = (kind: string): boolean => READ.has(kind) && kind !== 'label'

/**
 * One activity as lessons, or a note. One whose part of the backup is missing cannot be imported either. Refuses with unprocessable (import_xml) for document types.
 */
export async function readActivity(reading: MoodleReading, activity: Activity): Promise<ReadActivity> {
  const { kind, directory } = activity
  const { archive, files, pack } = reading
  const name = `${directory}/${kind}.xml`
  const root = archive.names.includes(name) ? await readPart(archive, name, 'activity') : undefined
  const context = root?.attributes.contextid ?? ''
  const body = childAt(root, kind)
  const mine = context ? files.filter((file) => file.context === context) : []
  const title = wordsAt(body, 'name') || activity.title
  if (!READ.has(kind) || !body) {
    const listedAs = LISTED[kind] ?? 'activity'
    const named = listedAs === 'activity' ? `${title} (${kind})` : title
    if (kind !== 'subsection') pack.notes.add(listedAs, named)
    return { lessons: [], inline: [], context, title: named, listedAs }
  }
  const hidden = await isHidden(archive, directory)
  const from: Source = { ...reading, title, body, mine }
  if (kind === 'label' && !hidden) {
    pack.count('label')
    return { lessons: [], inline: introOf(from), context, title, listedAs: null }
  }
  const lesson = { title, id: activity.lessonId, hidden }
  if (ASSIGNMENTS.has(kind)) return { lessons: assignment(from, lesson), inline: [], context, title, listedAs: null }
  const content = [...introOf(from), ...(await contentOf(kind, from))]
  if (content.length === 0) pack.notes.add('empty', title)
  return { lessons: lessonsOf(lesson, content), inline: [], context, title, listedAs: null }
}

async function isHidden(archive: Archive, directory: string): Promise<boolean> {
  const name = `${directory}/module.xml`
  if (!archive.names.includes(name)) return false
  return wordsAt(await readPart(archive, name, 'module'), 'visible') === '0'
}

const introOf = (from: Source): LessonNode[] => textAt(from, from.body, 'intro', { area: 'intro' })

async function contentOf(kind: string, from: Source): Promise<LessonNode[]> {
  const { pack, body } = from
  switch (kind) {
    case 'page':
      pack.count('page')
      return textAt(from, body, 'content', { area: 'content' })
    case 'url':
      pack.count('link')
      return addressOf(from)
    case 'label':
      pack.count('label')
      return []
    case 'book':
      return chaptersOf(from)
    case 'lesson':
      return lessonPages(from)
    case 'glossary':
      return entriesOf(from)
    default:
      pack.count(kind === 'folder' ? 'folder' : 'file')
      return filesOf(from)
  }
}

/** A URL activity may lead to another activity of the course. */
function addressOf({ body, title, links }: Source): LessonNode[] {
  const address = wordsAt(body, 'externalurl')
  return linkText(links.page?.(address) ?? address, title).content
}

function chaptersOf(from: Source): LessonNode[] {
  return childrenOf(childAt(from.body, 'chapters'), 'chapter').flatMap((chapter) => {
    const title = wordsAt(chapter, 'title')
    const level = wordsAt(chapter, 'subchapter') === '1' ? 3 : 2
    from.pack.count('chapter')
    const text = textAt(from, chapter, 'content', { area: 'chapter', item: chapter.attributes.id })
    return [...(title ? [heading(title, level)] : []), ...text]
  })
}

function entriesOf(from: Source): LessonNode[] {
  return childrenOf(childAt(from.body, 'entries'), 'entry').flatMap((entry) => {
    const { id } = entry.attributes
    from.pack.count('glossaryEntry')
    const files = from.mine.filter(({ area, item }) => area === 'attachment' && item === id)
    const aliases = childrenOf(childAt(entry, 'aliases'), 'alias').map((alias) => wordsAt(alias, 'alias_text'))
    return [
      heading([wordsAt(entry, 'concept'), ...aliases].filter(Boolean).join(', '), 3),
      ...textAt(from, entry, 'definition', { area: 'entry', item: id }),
      ...files.map(({ path, name }) => from.pack.fileBlock(path, name)),
    ]
  })
}

function assignment(from: Source, lesson: { title: string; id: string; hidden: boolean }): BundleLesson[] {
  const { body, mine, pack } = from
  const activity = textAt(from, body, 'activity', { area: 'activityattachment' })
  const configs = childrenOf(childAt(body, 'plugin_configs'), 'plugin_config')
  const types = configs.find((config) => wordsAt(config, 'name') === 'filetypeslist')
  return assignmentOf(pack, {
    ...lesson,
    content: [...introOf(from), ...activity],
    files: mine.filter(({ area }) => area === 'introattachment'),
    extensions: wordsAt(types, 'value')
      .toLowerCase()
      .split(/[\s,;]+/),
    points: Number(wordsAt(body, 'grade')),
    required: wordsAt(body, 'nosubmissions') !== '1' && wordsAt(body, 'assignmenttype') !== 'offline',
  })
}
