import { and, asc, eq, inArray, isNotNull, isNull, lte } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { quizAttempt } from '#lib/quiz/attempt/table.ts'
import { gradeTest } from '#lib/quiz/progress/grade-test.ts'
import { quiz } from '#lib/quiz/table.ts'

export interface TestResult {
  /** Percent by the grading method of the test. */
  percent: number
  passed: boolean
  at: Date
}

/** Refuses with not_found a test that does not belong to the course. */
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

/** The results of students in a test by its grading method, until the deadline if there is one: two statements. */
export async function loadTestScores(
  tx: Tx,
  testId: string,
  { studentIds, deadline }: { studentIds: readonly string[]; deadline: Date | null },
): Promise<Map<string, TestResult>> {
  if (studentIds.length === 0) return new Map()
  const { studentId, state, submittedAt, score, maxScore, passed } = quizAttempt
  const [[rules], rows] = await Promise.all([
    tx.select({ gradeOf: quiz.gradeOf, passPercent: quiz.passPercent }).from(quiz).where(eq(quiz.id, testId)),
    tx
      .select({ studentId, state, submittedAt, score, maxScore, passed })
      .from(quizAttempt)
      .where(
        and(
          eq(quizAttempt.quizId, testId),
          inArray(studentId, [...studentIds]),
          deadline ? lte(submittedAt, deadline) : isNotNull(submittedAt),
        ),
      )
      .orderBy(asc(quizAttempt.number)),
  ])
  if (!rules) return new Map()
  const byStudent = Map.groupBy(rows, (row) => row.studentId)
  return new Map(
    [...byStudent].flatMap(([id, attempts]) => {
      const { percent, at, passedAt } = gradeTest(attempts, rules)
      return percent === null || at === null ? [] : [[id, { percent, at, passed: passedAt !== null }] as const]
    }),
  )
}
