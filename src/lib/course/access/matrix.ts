import { and, desc, eq, exists, isNull, lt } from 'drizzle-orm'
import type { z } from 'zod'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { IdKey, readCursor, writeCursor } from '#lib/core/http/cursor.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { accessGrant } from '../learning/table.ts'
import { isAssigned, must } from '../permission.ts'
import { canManageStudents } from '../rules.ts'
import type { Access } from './access-reason.ts'
import { accessOf, entryOf, type StudyLesson } from './enrolment.ts'
import { groupsOf } from './group.ts'
import { AskMatrix } from './schema.ts'
import { loadClass, type Pupil } from './student-rows.ts'
import { grantedTo } from './students.ts'

export interface Cell {
  state: 'locked' | 'open' | 'started' | 'done'
  homework: 'waits' | 'accepted' | 'returned' | 'rejected' | null
  /** Opened, closed or moved by hand. */
  byHand: boolean
}

export interface MatrixRow {
  studentId: string
  name: string
  email: string
  /** Whether the student may enter the course at all. */
  entry: Access
  cells: Cell[]
}

export interface MatrixLesson {
  id: string
  title: string
  moduleId: string
  moduleTitle: string
}

/**
 * Students by lessons of a course, the newest students first: what each has open, begun and done. Eight statements for
 * any number of students and lessons. Refuses with forbidden, not_found.
 */
export async function getMatrix(actor: Actor, input: AskMatrix) {
  const ask = AskMatrix.parse(input)
  const { courseId, limit } = ask
  return inTenant(actor, async (tx) => {
    must(canManageStudents(actor, await isAssigned(tx, actor, courseId)))
    const groups = await groupsOf(tx, courseId)
    if (ask.groupId && !groups.some(({ id }) => id === ask.groupId)) throw new Refusal('not_found')
    const ids = await studentsOf(tx, ask)
    const { course, zone, lessons, pupils } = await loadClass(tx, courseId, ids.slice(0, limit))
    const modules = modulesOf(lessons)
    if (ask.moduleId && !modules.some(({ id }) => id === ask.moduleId)) throw new Refusal('not_found')
    const now = new Date()
    const shown = lessons.map((one) => !ask.moduleId || one.moduleId === ask.moduleId)
    const last = ids.length > limit ? ids[limit - 1] : undefined
    return {
      course: { id: course.id, title: course.title, status: course.status, numbered: course.lessonNumbering },
      zone,
      modules,
      lessons: lessons.filter((_, index) => shown[index]).map(columnOf),
      rows: pupils.map((pupil) => rowOf(pupil, shown, now)),
      groups,
      next: last ? writeCursor(IdKey, { id: last }) : null,
    }
  })
}
export type Matrix = Awaited<ReturnType<typeof getMatrix>>

async function studentsOf(tx: Tx, ask: z.output<typeof AskMatrix>): Promise<string[]> {
  const { courseId, q, groupId, cursor, limit } = ask
  const after = readCursor(IdKey, cursor)
  const named = grantedTo(tx, q)
  const rows = await tx
    .selectDistinct({ studentId: accessGrant.studentId })
    .from(accessGrant)
    .where(
      and(
        eq(accessGrant.courseId, courseId),
        isNull(accessGrant.revokedAt),
        after ? lt(accessGrant.studentId, after.id) : undefined,
        groupId ? and(eq(accessGrant.sourceType, 'group'), eq(accessGrant.sourceId, groupId)) : undefined,
        q ? exists(named) : undefined,
      ),
    )
    .orderBy(desc(accessGrant.studentId))
    .limit(limit + 1)
  return rows.map(({ studentId }) => studentId)
}

function rowOf({ studentId, name, email, study }: Pupil, shown: readonly boolean[], now: Date): MatrixRow {
  const answers = accessOf(study, now)
  const cells: Cell[] = []
  for (const [index, lesson] of study.lessons.entries()) {
    const access = answers[index]
    if (shown[index] && access) cells.push(cellOf(lesson, access))
  }
  return { studentId, name, email, entry: entryOf(study, now), cells }
}

// Of two dozen kinds of cells a page has thousands: each kind is made once.
const CELLS = new Map<string, Cell>()

function cellOf(lesson: StudyLesson, access: Access): Cell {
  const state = lesson.completedAt ? 'done' : !access.allow ? 'locked' : lesson.openedAt ? 'started' : 'open'
  const homework = homeworkOf(lesson.homeworkState)
  const byHand = access.overrideId !== undefined
  const key = `${state} ${homework} ${byHand}`
  const known = CELLS.get(key) ?? { state, homework, byHand }
  CELLS.set(key, known)
  return known
}

function homeworkOf(state: StudyLesson['homeworkState']): Cell['homework'] {
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
