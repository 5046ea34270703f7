import { newId } from '#lib/core/db/id.ts'
import { EMPTY_DOC, LessonDoc, type LessonNode } from '#lib/core/shared/lesson-doc.ts'
import type { BundleLesson } from '../bundle-schema.ts'
import { splitIntoLessons } from './lesson.ts'
import { cleanTitle, createDoc, type PackageReader } from './package-reader.ts'

export interface SourceAssignment {
  title: string
  /** Id of the lesson. */
  id?: string
  hidden?: boolean
  content: LessonNode[]
  files: { path: string; name: string }[]
  /** File name extensions that the source accepts. */
  extensions: string[]
  /** Below 1: no points. */
  points: number
  /** Whether a submission is required. */
  required: boolean
}

/** Maximum number of files of a task. */
const MAX_FILES = 20
const MAX_POINTS = 1000

/**
 * Imports an assignment as a separate lesson that shows its task. Content that a task cannot store is added to the
 * lesson.
 */
export function importAssignment(reader: PackageReader, assignment: SourceAssignment): BundleLesson[] {
  const { title, content, files, extensions, points, required } = assignment
  const instructions = createDoc(content)
  const isValid = LessonDoc.safeParse(instructions).success
  const id = newId()
  const extraFiles = files.slice(MAX_FILES).map(({ path, name }) => reader.fileBlock(path, name))
  const lessons = splitIntoLessons(assignment, [
    ...(isValid ? [] : content),
    ...extraFiles,
    { type: 'task', attrs: { taskId: id } },
  ])
  const lesson = lessons.at(-1)
  if (!lesson) return []
  reader.count('assignment')
  reader.tasks.push({
    id,
    lessonId: lesson.id,
    title: cleanTitle(title),
    instructions: isValid ? instructions : EMPTY_DOC,
    fileIds: [...new Set(files.slice(0, MAX_FILES).map(({ path, name }) => reader.fileId(path, name)))],
    extensions: extensions.filter((item) => /^\.[a-z0-9]{1,10}$/.test(item)).slice(0, MAX_FILES),
    maxPoints: points >= 1 ? Math.min(Math.round(points), MAX_POINTS) : null,
    required,
  })
  return lessons.map((item) => (required ? { ...item, completionRule: { mode: 'taskAccepted' } } : item))
}
