import { type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Tx } from '#lib/core/db/db.ts'
import { parseStored } from '#lib/core/shared/parse-stored.ts'
import { ATTEMPT_STATES, GRADE_OF } from '#lib/core/shared/quiz.ts'
import { offeredTests } from '#lib/course/lesson/offered-tests.ts'
import { gradeTest, type TestGrade } from './grade-test.ts'

/** The result of one student in one test of a lesson. */
export interface LessonGrade extends TestGrade {
  studentId: string
  lessonId: string
  quizId: string
}

/** The columns that `attemptResults` selects. */
export const AttemptResults = z.array(
  z.object({
    state: z.enum(ATTEMPT_STATES),
    submittedAt: z.coerce.date().nullable(),
    score: z.number().nullable(),
    maxScore: z.number(),
    passed: z.boolean().nullable(),
  }),
)

/** The attempts of a student at the test `q` in their order, as JSON. */
export const attemptResults = (studentId: SQL): SQL => sql`(
  select coalesce(jsonb_agg(jsonb_build_object('state', a.state, 'submittedAt', a.submitted_at,
      'score', a.score, 'maxScore', a.max_score, 'passed', a.passed) order by a.number), '[]'::jsonb)
    from quiz_attempt a where a.tenant_id = q.tenant_id and a.student_id = ${studentId} and a.quiz_id = q.id)`

const Row = z.object({
  studentId: z.string(),
  lessonId: z.string(),
  quizId: z.string(),
  gradeOf: z.enum(GRADE_OF),
  passPercent: z.number(),
  attempts: AttemptResults,
})

/**
 * The grades of students in all available tests of lessons; one statement. `lessons` is a condition on the table `l`.
 */
export async function loadLessonGrades(tx: Tx, lessons: SQL, studentIds: readonly string[]): Promise<LessonGrade[]> {
  const { rows } = await tx.execute<Record<string, unknown>>(sql`
    select l.id as "lessonId", q.id as "quizId", q.grade_of as "gradeOf", q.pass_percent as "passPercent",
        s.id as "studentId", ${attemptResults(sql`s.id`)} as attempts
      from lesson l cross join lateral (select q.* from ${offeredTests(sql`l.test_ids`, sql`l.course_id`)}) q
      cross join unnest(${sql.param(studentIds)}::uuid[]) s(id)
     where l.tenant_id = current_tenant() and l.deleted_at is null and ${lessons}`)
  return rows.map((row) => {
    const { attempts, gradeOf, passPercent, ...place } = parseStored(Row, row)
    return { ...place, ...gradeTest(attempts, { gradeOf, passPercent }) }
  })
}
