import { and, desc, eq, exists, lt } from 'drizzle-orm'
import type { z } from 'zod'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { IdKey, readCursor, writeCursor } from '#lib/core/http/cursor.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { loadGroups } from '../group/group.ts'
import { isEnrolled } from '../learning/enrolled.ts'
import { accessGrant } from '../learning/table.ts'
import { isAssigned, requireAllowed } from '../permission.ts'
import { canManageStudents } from '../rules.ts'
import type { Access } from './access-reason.ts'
import { loadCourseRoster, type RosterStudent } from './course-roster.ts'
import { courseAccessOf, type LessonWithProgress, outlineAccessOf } from './enrolment.ts'
import type { GetMatrix } from './schema.ts'
import { selectMatchingStudents } from './students.ts'

interface MatrixCell {
  state: 'locked' | 'open' | 'started' | 'done'
  homework: 'waits' | 'accepted' | 'returned' | 'rejected' | null
  /** An override opens, closes or moves the lesson. */
  byHand: boolean
}

export interface MatrixRow {
  studentId: string
  name: string
  email: string
  /** Access of the student to the course. */
  entry: Access
  cells: MatrixCell[]
}

interface MatrixLesson {
  id: string
  title: string
  moduleId: string
  moduleTitle: string
}

/**
 * Matrix of students and lessons with access and progress, newest students first. Eight statements for any number of
 * students and lessons. Refuses with forbidden, not_found.
 */
export async function getMatrix(actor: Actor, query: GetMatrix) {
  const { courseId, limit } = query
  return inTenant(actor, async (tx) => {
    requireAllowed(canManageStudents(actor, await isAssigned(tx, actor, courseId)))
    const groups = await loadGroups(tx, courseId)
    if (query.groupId && !groups.some(({ id }) => id === query.groupId)) throw new Refusal('not_found')
    const studentIds = await listStudentIds(tx, query)
    const { course, zone, lessons, students } = await loadCourseRoster(tx, courseId, studentIds.slice(0, limit))
    const modules = modulesOf(lessons)
    if (query.moduleId && !modules.some(({ id }) => id === query.moduleId)) throw new Refusal('not_found')
    const now = new Date()
    const isShown = lessons.map((lesson) => !query.moduleId || lesson.moduleId === query.moduleId)
    const lastId = studentIds.length > limit ? studentIds[limit - 1] : undefined
    return {
      course: { id: course.id, title: course.title, status: course.status, numbered: course.lessonNumbering },
      zone,
      modules,
      lessons: lessons.filter((_, index) => isShown[index]).map(columnOf),
      rows: students.map((student) => rowOf(student, isShown, now)),
      groups,
      next: lastId ? writeCursor(IdKey, { id: lastId }) : null,
    }
  })
}
export type AccessMatrix = Awaited<ReturnType<typeof getMatrix>>

async function listStudentIds(tx: Tx, query: z.output<typeof GetMatrix>): Promise<string[]> {
  const { courseId, q, groupId, cursor, limit } = query
  const after = readCursor(IdKey, cursor)
  const matchingStudents = selectMatchingStudents(tx, q)
  const rows = await tx
    .selectDistinct({ studentId: accessGrant.studentId })
    .from(accessGrant)
    .where(
      and(
        eq(accessGrant.courseId, courseId),
        isEnrolled,
        after ? lt(accessGrant.studentId, after.id) : undefined,
        groupId ? and(eq(accessGrant.sourceType, 'group'), eq(accessGrant.sourceId, groupId)) : undefined,
        q ? exists(matchingStudents) : undefined,
      ),
    )
    .orderBy(desc(accessGrant.studentId))
    .limit(limit + 1)
  return rows.map(({ studentId }) => studentId)
}

function rowOf(
  { studentId, name, email, enrolment }: RosterStudent,
  isShown: readonly boolean[],
  now: Date,
): MatrixRow {
  const results = outlineAccessOf(enrolment, now)
  const cells: MatrixCell[] = []
  for (const [index, lesson] of enrolment.lessons.entries()) {
    const access = results[index]
    if (isShown[index] && access) cells.push(cellOf(lesson, access))
  }
  return { studentId, name, email, entry: courseAccessOf(enrolment, now), cells }
}

// A page has thousands of cells of about two dozen kinds: each kind is created once.
const CELL_CACHE = new Map<string, MatrixCell>()

function cellOf(lesson: LessonWithProgress, access: Access): MatrixCell {
  const state = lesson.completedAt ? 'done' : !access.allow ? 'locked' : lesson.openedAt ? 'started' : 'open'
  const homework = homeworkOf(lesson.homeworkState)
  const byHand = access.overrideId !== undefined
  const key = `${state} ${homework} ${byHand}`
  const cell = CELL_CACHE.get(key) ?? { state, homework, byHand }
  CELL_CACHE.set(key, cell)
  return cell
}

function homeworkOf(state: LessonWithProgress['homeworkState']): MatrixCell['homework'] {
  if (state === null || state === 'draft') return null
  return state === 'submitted' || state === 'in_review' ? 'waits' : state
}

const columnOf = ({ id, title, moduleId, moduleTitle }: MatrixLesson): MatrixLesson => ({
  id,
  title,
  moduleId,
  moduleTitle,
})

function modulesOf(lessons: readonly MatrixLesson[]): { id: string; title: string }[] {
  const modules = new Map(lessons.map(({ moduleId, moduleTitle }) => [moduleId, moduleTitle]))
  return [...modules].map(([id, title]) => ({ id, title }))
}
