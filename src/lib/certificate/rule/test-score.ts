import { and, asc, eq, inArray, isNotNull, isNull, sql } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { quizAttempt } from '#lib/quiz/attempt/table.ts'
import { quiz } from '#lib/quiz/table.ts'

export interface TestResult {
  /** Percent of the best attempt. */
  percent: number
  passed: boolean
  at: Date
}

/** Refuses with not_found a test that the course does not have. */
export async function requireTest(tx: Tx, courseId: string, testId: string): Promise<void> {
  const ofCourse = and(eq(quiz.id, testId), eq(quiz.courseId, courseId), isNull(quiz.deletedAt))
  if ((await tx.$count(quiz, ofCourse)) === 0) throw new Refusal('not_found')
}

/** The tests of a course for the choice in the rule, by title. The caller has checked the permission. */
export function listTests(actor: Actor, courseId: string): Promise<{ id: string; title: string }[]> {
  return inTenant(actor, (tx) =>
    tx
      .select({ id: quiz.id, title: quiz.title })
      .from(quiz)
      .where(and(eq(quiz.courseId, courseId), isNull(quiz.deletedAt)))
      .orderBy(asc(quiz.title), asc(quiz.id))
      .limit(500),
  )
}

/** The best graded attempt of each student in a test. */
export async function loadTestScores(
  tx: Tx,
  testId: string,
  studentIds: readonly string[],
): Promise<Map<string, TestResult>> {
  if (studentIds.length === 0) return new Map()
  const rows = await tx
    .selectDistinctOn([quizAttempt.studentId], {
      studentId: quizAttempt.studentId,
      percent: sql<number>`floor(100 * ${quizAttempt.score} / nullif(${quizAttempt.maxScore}, 0))::int`,
      passed: quizAttempt.passed,
      at: quizAttempt.submittedAt,
    })
    .from(quizAttempt)
    .where(
      and(
        eq(quizAttempt.quizId, testId),
        inArray(quizAttempt.studentId, [...studentIds]),
        isNotNull(quizAttempt.score),
        isNotNull(quizAttempt.submittedAt),
        eq(quizAttempt.state, 'graded'),
      ),
    )
    .orderBy(quizAttempt.studentId, sql`${quizAttempt.score} / nullif(${quizAttempt.maxScore}, 0) desc nulls last`)
  return new Map(
    rows.flatMap(({ studentId, percent, passed, at }) =>
      at === null ? [] : [[studentId, { percent: percent ?? 0, passed: passed === true, at }] as const],
    ),
  )
}
