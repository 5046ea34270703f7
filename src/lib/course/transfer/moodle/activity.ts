import type { Archive } from '#lib/core/files/archive/archive-guard.ts'
import { dictionary } from '#lib/core/shared/dictionary.ts'
import type { LessonNode } from '#lib/core/shared/lesson-doc.ts'
import type { BundleLesson } from '../bundle-schema.ts'
import { childAt, childrenOf, textAtPath } from '../markup.ts'
import { importAssignment } from '../package/assignment.ts'
import { heading, splitIntoLessons } from '../package/lesson.ts'
import { linkText } from '../package/package-reader.ts'
import { lessonOfTest } from '../package/test-lesson.ts'
import type { NoteKind } from '../schema.ts'
import { readLessonPages } from './lesson.ts'
import { readPart } from './read-part.ts'
import { type ActivitySource, type MoodleContext, readActivityFiles, readText } from './source.ts'

export interface Activity {
  id: string
  sectionId: string
  /** Moodle's name of the module: page, label, url, resource, folder, book ... */
  kind: string
  title: string
  directory: string
  /** Id of the lesson that it becomes. */
  lessonId: string
}

export interface ReadActivity {
  lessons: BundleLesson[]
  /** Shown between the activities in Moodle: inserted into the next lesson. */
  inline: LessonNode[]
  /** The context that its files belong to. */
  context: string
  /** The title that the activity has in the course, or in its note. */
  title: string
  /** Null: imported. */
  noteKind: NoteKind | null
}

/** Assignments, and those of Moodle before 2.3. */
const ASSIGNMENT_MODULES = new Set(['assign', 'assignment'])
/** Moodle's modules that are imported. Subsections have no content: their section is imported like any other. */
const IMPORTED_MODULES = new Set([
  'page',
  'label',
  'url',
  'resource',
  'folder',
  'book',
  'lesson',
  'glossary',
  ...ASSIGNMENT_MODULES,
])
const LISTED_MODULES = dictionary<NoteKind>({
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

export const isImported = (kind: string): boolean => IMPORTED_MODULES.has(kind) && kind !== 'label'

/**
 * Converts one activity to lessons, or notes it. An activity whose part of the backup is missing cannot be imported
 * either. Refuses with unprocessable (import_xml) for document types.
 */
export async function readActivity(reading: MoodleContext, activity: Activity): Promise<ReadActivity> {
  const { kind, directory } = activity
  const { archive, files, reader } = reading
  const name = `${directory}/${kind}.xml`
  const root = archive.names.includes(name) ? await readPart(archive, name, 'activity') : undefined
  const context = root?.attributes.contextid ?? ''
  const body = childAt(root, kind)
  const ownFiles = context ? files.filter((file) => file.context === context) : []
  const title = textAtPath(body, 'name') || activity.title
  const test =
    kind === 'quiz' && body && (await reading.tests?.readMoodleTest(reading, { title, directory, files: ownFiles }))
  if (test) {
    reader.count('test')
    const hidden = test.hidden || (await isHidden(archive, directory))
    const lessons = lessonOfTest({ title, id: activity.lessonId }, { ...test, hidden })
    return { lessons, inline: [], context, title, noteKind: null }
  }
  if (!IMPORTED_MODULES.has(kind) || !body) {
    const listedAs = LISTED_MODULES[kind] ?? 'activity'
    const noteTitle = listedAs === 'activity' ? `${title} (${kind})` : title
    if (kind !== 'subsection') reader.notes.add(listedAs, noteTitle)
    return { lessons: [], inline: [], context, title: noteTitle, noteKind: listedAs }
  }
  const hidden = await isHidden(archive, directory)
  const source: ActivitySource = { ...reading, title, body, ownFiles }
  if (kind === 'label' && !hidden) {
    reader.count('label')
    return { lessons: [], inline: readIntro(source), context, title, noteKind: null }
  }
  const lesson = { title, id: activity.lessonId, hidden }
  if (ASSIGNMENT_MODULES.has(kind))
    return { lessons: readAssignment(source, lesson), inline: [], context, title, noteKind: null }
  const content = [...readIntro(source), ...(await readContent(kind, source))]
  if (content.length === 0) reader.notes.add('empty', title)
  return { lessons: splitIntoLessons(lesson, content), inline: [], context, title, noteKind: null }
}

async function isHidden(archive: Archive, directory: string): Promise<boolean> {
  const name = `${directory}/module.xml`
  if (!archive.names.includes(name)) return false
  return textAtPath(await readPart(archive, name, 'module'), 'visible') === '0'
}

const readIntro = (source: ActivitySource): LessonNode[] => readText(source, source.body, 'intro', { area: 'intro' })

async function readContent(kind: string, source: ActivitySource): Promise<LessonNode[]> {
  const { reader, body } = source
  switch (kind) {
    case 'page':
      reader.count('page')
      return readText(source, body, 'content', { area: 'content' })
    case 'url':
      reader.count('link')
      return readAddress(source)
    case 'label':
      reader.count('label')
      return []
    case 'book':
      return readChapters(source)
    case 'lesson':
      return readLessonPages(source)
    case 'glossary':
      return readGlossary(source)
    default:
      reader.count(kind === 'folder' ? 'folder' : 'file')
      return readActivityFiles(source)
  }
}

/** A URL activity may refer to another activity of the course. */
function readAddress({ body, title, links }: ActivitySource): LessonNode[] {
  const address = textAtPath(body, 'externalurl')
  return linkText(links.page?.(address) ?? address, title).content
}

function readChapters(source: ActivitySource): LessonNode[] {
  return childrenOf(childAt(source.body, 'chapters'), 'chapter').flatMap((chapter) => {
    const title = textAtPath(chapter, 'title')
    const level = textAtPath(chapter, 'subchapter') === '1' ? 3 : 2
    source.reader.count('chapter')
    const text = readText(source, chapter, 'content', { area: 'chapter', item: chapter.attributes.id })
    return [...(title ? [heading(title, level)] : []), ...text]
  })
}

function readGlossary(source: ActivitySource): LessonNode[] {
  return childrenOf(childAt(source.body, 'entries'), 'entry').flatMap((entry) => {
    const { id } = entry.attributes
    source.reader.count('glossaryEntry')
    const files = source.ownFiles.filter(({ area, item }) => area === 'attachment' && item === id)
    const aliases = childrenOf(childAt(entry, 'aliases'), 'alias').map((alias) => textAtPath(alias, 'alias_text'))
    return [
      heading([textAtPath(entry, 'concept'), ...aliases].filter(Boolean).join(', '), 3),
      ...readText(source, entry, 'definition', { area: 'entry', item: id }),
      ...files.map(({ path, name }) => source.reader.fileBlock(path, name)),
    ]
  })
}

function readAssignment(
  source: ActivitySource,
  lesson: { title: string; id: string; hidden: boolean },
): BundleLesson[] {
  const { body, ownFiles, reader } = source
  const activity = readText(source, body, 'activity', { area: 'activityattachment' })
  const configs = childrenOf(childAt(body, 'plugin_configs'), 'plugin_config')
  const types = configs.find((config) => textAtPath(config, 'name') === 'filetypeslist')
  return importAssignment(reader, {
    ...lesson,
    content: [...readIntro(source), ...activity],
    files: ownFiles.filter(({ area }) => area === 'introattachment'),
    extensions: textAtPath(types, 'value')
      .toLowerCase()
      .split(/[\s,;]+/),
    points: Number(textAtPath(body, 'grade')),
    required: textAtPath(body, 'nosubmissions') !== '1' && textAtPath(body, 'assignmenttype') !== 'offline',
  })
}
