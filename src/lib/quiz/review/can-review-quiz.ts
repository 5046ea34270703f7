import { inTenant } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { requireReviewer } from '../permission.ts'

/** Whether the actor may review attempts at the test; other refusals than forbidden are thrown. */
export async function canReviewQuiz(actor: Actor, { quizId }: { quizId: string }): Promise<boolean> {
  try {
    await inTenant(actor, (tx) => requireReviewer(tx, actor, quizId))
    return true
  } catch (error) {
    if (error instanceof Refusal && error.code === 'forbidden') return false
    throw error
  }
}
