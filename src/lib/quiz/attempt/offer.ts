import { and, asc, eq, inArray, or, sql } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { courseAccessOf, loadEnrolment } from '#lib/course/access/enrolment.ts'
import { accessGrant } from '#lib/course/learning/table.ts'
import type { QuizRow } from '../lock-quiz.ts'
import { isOffered } from '../rules.ts'
import { quiz, quizOverride } from '../table.ts'
import { type EffectiveSettings, effectiveSettings } from './rules.ts'
import { quizAttempt } from './table.ts'

export type AttemptRow = typeof quizAttempt.$inferSelect

/** A test as one student may take it. */
export interface QuizOffer {
  quiz: QuizRow
  settings: EffectiveSettings
  /** The student's attempts in their order. */
  attempts: AttemptRow[]
}

/**
 * Loads a test for a student with a grant to its course. Refuses with not_found (not offered, no grant), and with
 * forbidden and the reason while the course is closed to the student.
 */
export async function loadOffer(
  tx: Tx,
  { quizId, studentId }: { quizId: string; studentId: string },
  now: Date,
): Promise<QuizOffer> {
  const [row] = await tx.select().from(quiz).where(eq(quiz.id, quizId))
  if (!row?.courseId || row.deletedAt !== null) throw new Refusal('not_found')
  const [enrolment, overrides, attempts] = await Promise.all([
    loadEnrolment(tx, { studentId, courseId: row.courseId }),
    loadOverrides(tx, quizId, studentId),
    tx
      .select()
      .from(quizAttempt)
      .where(and(eq(quizAttempt.quizId, quizId), eq(quizAttempt.studentId, studentId)))
      .orderBy(asc(quizAttempt.number)),
  ])
  // An attempt that was made stays visible when the test is withdrawn.
  if (!isOffered(row) && attempts.length === 0) throw new Refusal('not_found')
  if (enrolment.grants.every(({ revokedAt }) => revokedAt)) throw new Refusal('not_found')
  const access = courseAccessOf(enrolment, now)
  if (!access.allow) throw new Refusal('forbidden', { data: { reason: access.reason } })
  return { quiz: row, settings: effectiveSettings(row, overrides), attempts }
}

function loadOverrides(tx: Tx, quizId: string, studentId: string) {
  const ownGroups = tx
    .select({ id: accessGrant.sourceId })
    .from(accessGrant)
    .where(
      and(
        eq(accessGrant.studentId, studentId),
        eq(accessGrant.sourceType, 'group'),
        sql`${accessGrant.revokedAt} is null`,
      ),
    )
  return tx
    .select()
    .from(quizOverride)
    .where(
      and(
        eq(quizOverride.quizId, quizId),
        or(eq(quizOverride.studentId, studentId), inArray(quizOverride.groupId, ownGroups)),
      ),
    )
}
