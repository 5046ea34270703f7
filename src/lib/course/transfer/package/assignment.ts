import { newId } from '#lib/core/db/id.ts'
import { EMPTY_DOC, LessonDoc, type LessonNode } from '#lib/core/shared/lesson-doc.ts'
import type { BundleLesson } from '../bundle-schema.ts'
import { lessonsOf } from './lesson.ts'
import { docOf, type PackageReading, titleOf } from './reading.ts'

export interface IncomingAssignment {
  title: string
  /** Of the lesson. */
  id?: string
  hidden?: boolean
  content: LessonNode[]
  files: { path: string; name: string }[]
  /** File name endings that the source accepts. */
  extensions: string[]
  /** Below 1: no points. */
  points: number
  /** Whether something is to be handed in. */
  required: boolean
}

/** As many as a task may have. */
const MOST_FILES = 20
const MOST_POINTS = 1000

/** An assignment as a lesson of its own that shows its task. What a task cannot hold stands in the lesson. */
export function assignmentOf(pack: PackageReading, given: IncomingAssignment): BundleLesson[] {
  const { title, content, files, extensions, points, required } = given
  const instructions = docOf(content)
  const fits = LessonDoc.safeParse(instructions).success
  const id = newId()
  const more = files.slice(MOST_FILES).map(({ path, name }) => pack.fileBlock(path, name))
  const lessons = lessonsOf(given, [...(fits ? [] : content), ...more, { type: 'task', attrs: { taskId: id } }])
  const lesson = lessons.at(-1)
  if (!lesson) return []
  pack.count('assignment')
  pack.tasks.push({
    id,
    lessonId: lesson.id,
    title: titleOf(title),
    instructions: fits ? instructions : EMPTY_DOC,
    fileIds: [...new Set(files.slice(0, MOST_FILES).map(({ path, name }) => pack.fileId(path, name)))],
    extensions: extensions.filter((one) => /^\.[a-z0-9]{1,10}$/.test(one)).slice(0, MOST_FILES),
    maxPoints: points >= 1 ? Math.min(Math.round(points), MOST_POINTS) : null,
    required,
  })
  return lessons.map((one) => (required ? { ...one, completionRule: { mode: 'taskAccepted' } } : one))
}
