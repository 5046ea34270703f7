import { eq, type SQL, sql } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { requireAllowed, requireLearningPlan } from '#lib/course/permission.ts'
import { courseStaff } from '#lib/course/table.ts'
import { isActingAs } from '#lib/team/deputy.ts'
import { canEditQuizzes, canReadQuizzes, canReviewAttempts, canTakeQuiz } from './rules.ts'
import { quiz } from './table.ts'

/** Refuses with forbidden unless the actor may read questions and tests with their keys. */
export function requireQuizReader(actor: Actor): void {
  requireAllowed(canReadQuizzes(actor))
}

/** Refuses with forbidden, and with plan_inactive when the tenant's learning plan has expired. */
export function requireQuizEditor(actor: Actor): void {
  requireAllowed(canEditQuizzes(actor))
  requireLearningPlan(actor)
}

/** Refuses with forbidden an actor who is not a student. */
export function requireQuizStudent(actor: Actor): void {
  requireAllowed(canTakeQuiz(actor, { isOwn: true }))
}

/**
 * Refuses with not_found, and with forbidden unless the actor reviews attempts at the test: curators those of their
 * courses, also as the deputy of a member on vacation.
 */
export async function requireReviewer(tx: Tx, actor: Actor, quizId: string): Promise<void> {
  requireQuizReader(actor)
  const [row] = await tx
    .select({ isAssigned: isReviewerOf(actor) })
    .from(quiz)
    .where(eq(quiz.id, quizId))
  if (!row) throw new Refusal('not_found')
  requireAllowed(canReviewAttempts(actor, row.isAssigned))
}

/** Whether the actor, or a member whose deputy the actor is now, belongs to the staff of the course of `quiz`. */
export const isReviewerOf = ({ membershipId }: Actor): SQL<boolean> =>
  sql<boolean>`exists (select 1 from ${courseStaff} where ${courseStaff.tenantId} = ${quiz.tenantId}
    and ${courseStaff.courseId} = ${quiz.courseId} and ${isActingAs(courseStaff.memberId, membershipId)})`
