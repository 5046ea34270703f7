import { eq } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { isAssigned, requireAllowed, requireLearningPlan } from '#lib/course/permission.ts'
import { canEditQuizzes, canReadQuizzes, canReviewAttempts, canTakeQuiz } from './rules.ts'
import { quiz } from './table.ts'

/** Refuses with forbidden unless the actor may read questions and tests with their keys. */
export function requireQuizReader(actor: Actor): void {
  requireAllowed(canReadQuizzes(actor))
}

/** Refuses with forbidden, and with plan_inactive while the tenant's learning plan has lapsed. */
export function requireQuizEditor(actor: Actor): void {
  requireAllowed(canEditQuizzes(actor))
  requireLearningPlan(actor)
}

/** Refuses with forbidden an actor who is not a student. */
export function requireQuizStudent(actor: Actor): void {
  requireAllowed(canTakeQuiz(actor, { isOwn: true }))
}

/** Refuses with not_found, and with forbidden unless the actor reviews attempts at the test. */
export async function requireReviewer(tx: Tx, actor: Actor, quizId: string): Promise<void> {
  requireQuizReader(actor)
  const [row] = await tx.select({ courseId: quiz.courseId }).from(quiz).where(eq(quiz.id, quizId))
  if (!row) throw new Refusal('not_found')
  requireAllowed(canReviewAttempts(actor, row.courseId !== null && (await isAssigned(tx, actor, row.courseId))))
}
