import { type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { parseStored } from '#lib/core/shared/parse-stored.ts'
import { type AttemptState, FEEDBACK_TIMES, GRADE_OF, RUNNING_STATES } from '#lib/core/shared/quiz.ts'
import { isAssigned, requireAllowed } from '#lib/course/permission.ts'
import { isFeedbackDue } from '../attempt/rules.ts'
import { requireQuizReader, requireQuizStudent } from '../permission.ts'
import { canReviewAttempts } from '../rules.ts'
import { ShowSettings } from '../schema.ts'
import { gradeTest } from './grade-test.ts'
import { AttemptResults, attemptResults } from './lesson-grades.ts'

/** The state of a test for a student; `submitted`: the result is not shown, or waits for a mark. */
export const TEST_PROGRESS = ['notStarted', 'running', 'submitted', 'passed', 'failed'] as const
export type TestProgress = (typeof TEST_PROGRESS)[number]

/** A test of a lesson, for one student. */
export interface LessonTest {
  id: string
  title: string
  passPercent: number
  /** The lesson is completed by passing its tests. */
  completesLesson: boolean
  progress: TestProgress
  /** Whole percent; null while there is none or it is not shown. */
  percent: number | null
  /** The student can take the test, or view an attempt. */
  isOpen: boolean
}

/**
 * The tests of a lesson for its student, in reading order, with the score as far as it is shown now. Empty for lessons
 * of courses without a grant. Refuses with forbidden.
 */
export async function listOwnLessonTests(
  actor: Actor,
  input: { lessonId: string },
  now = new Date(),
): Promise<LessonTest[]> {
  requireQuizStudent(actor)
  const { lessonId } = input
  const { membershipId: studentId } = actor
  const ofStudent = sql`l.id = ${lessonId} and exists (select 1 from enrolled_grants() g
    where g.course_id = l.course_id and g.student_id = ${studentId})`
  const rows = await inTenant(actor, (tx) => loadLessonTests(tx, ofStudent, studentId))
  return rows.map((row) => toOwnView(row, now))
}

/**
 * These tests for a student, with the score as far as it is shown now; those of courses to which the student has no
 * grant are omitted.
 */
export async function loadOwnTests(
  tx: Tx,
  { quizIds, studentId }: { quizIds: readonly string[]; studentId: string },
  now = new Date(),
): Promise<LessonTest[]> {
  if (quizIds.length === 0) return []
  const { rows } = await tx.execute<Record<string, unknown>>(sql`
    select ${testColumns(studentId)}, false as "completesLesson"
      from quiz q
     where q.tenant_id = current_tenant() and q.id = any(${sql.param(quizIds)}::uuid[]) and q.deleted_at is null
       and exists (select 1 from enrolled_grants() g where g.course_id = q.course_id and g.student_id = ${studentId})`)
  return rows.map((row) => toOwnView(parseStored(Row, row), now))
}

/**
 * The tests of a lesson with the results of a student, for staff who check why the next lesson is closed. Refuses with
 * forbidden (curators: unless assigned to the course).
 */
export async function listLessonTests(
  actor: Actor,
  input: { courseId: string; lessonId: string; studentId: string },
): Promise<LessonTest[]> {
  requireQuizReader(actor)
  const { courseId, lessonId, studentId } = input
  return inTenant(actor, async (tx) => {
    const ofLesson = sql`l.id = ${lessonId} and l.course_id = ${courseId}`
    const [assigned, rows] = await Promise.all([
      isAssigned(tx, actor, courseId),
      loadLessonTests(tx, ofLesson, studentId),
    ])
    requireAllowed(canReviewAttempts(actor, assigned))
    return rows.map((row) => toLessonTest(row, true))
  })
}

const Row = z.object({
  id: z.string(),
  title: z.string(),
  passPercent: z.number(),
  gradeOf: z.enum(GRADE_OF),
  feedback: z.enum(FEEDBACK_TIMES),
  show: ShowSettings,
  closeAt: z.coerce.date().nullable(),
  isOffered: z.boolean(),
  completesLesson: z.boolean(),
  attempts: AttemptResults,
})

/** Columns of a test `q` for a student. An exception of the student or a group may set a later closing time. */
const testColumns = (studentId: string): SQL => sql`
    q.id, q.title, q.pass_percent as "passPercent", q.grade_of as "gradeOf", q.feedback, q.show,
        q.status = 'published' and not q.hidden as "isOffered",
        to_char(greatest(q.close_at, (select max(o.close_at) from quiz_override o
          where o.tenant_id = q.tenant_id and o.quiz_id = q.id and (o.student_id = ${studentId} or o.group_id in (
            select g.source_id from enrolled_grants() g where g.student_id = ${studentId} and g.source_type = 'group')))) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
          as "closeAt",
        ${attemptResults(sql`${studentId}`)} as attempts`

/** One statement. */
async function loadLessonTests(tx: Tx, lessons: SQL, studentId: string) {
  const { rows } = await tx.execute<Record<string, unknown>>(sql`
    select ${testColumns(studentId)}, l.completion_rule ->> 'mode' = 'testPassed' as "completesLesson"
      from lesson l cross join lateral jsonb_array_elements_text(l.test_ids) with ordinality listed(id, place)
      join quiz q on q.tenant_id = l.tenant_id and q.id = listed.id::uuid
        and q.course_id = l.course_id and q.deleted_at is null
     where l.tenant_id = current_tenant() and ${lessons}
     order by listed.place`)
  return rows.map((row) => parseStored(Row, row))
}

const isRunning = (state: AttemptState): boolean => RUNNING_STATES.includes(state)

function toOwnView(row: z.output<typeof Row>, now: Date): LessonTest {
  const { feedback, closeAt, show, attempts } = row
  const isDue = attempts.every(({ state }) => isRunning(state) || isFeedbackDue({ feedback, closeAt }, state, now))
  return toLessonTest(row, isDue && show.score)
}

function toLessonTest(row: z.output<typeof Row>, isShown: boolean): LessonTest {
  const { id, title, passPercent, completesLesson, gradeOf, attempts, isOffered } = row
  const { percent, passedAt } = gradeTest(attempts, { gradeOf, passPercent })
  const isGraded = isShown && percent !== null
  const progress = attempts.some(({ state }) => isRunning(state))
    ? 'running'
    : isGraded
      ? passedAt
        ? 'passed'
        : 'failed'
      : attempts.length > 0
        ? 'submitted'
        : 'notStarted'
  return {
    id,
    title,
    passPercent,
    completesLesson,
    progress,
    percent: isShown ? percent : null,
    isOpen: isOffered || attempts.length > 0,
  }
}
