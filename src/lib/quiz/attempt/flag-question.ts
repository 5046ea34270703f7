import { inTenant } from '#lib/core/db/db.ts'
import { formRefusal, Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { requireQuizStudent } from '../permission.ts'
import { lockAttempt } from './attempt.ts'
import { publishAttempt, updateAttempt } from './finish.ts'
import type { FlagQuestion } from './schema.ts'

/**
 * Flags a question of a running attempt for later, or removes the flag; a repeated call changes nothing. Refuses with
 * forbidden, not_found (attempt, question), unprocessable (attempt_finished).
 */
export async function flagQuestion(actor: Actor, input: FlagQuestion): Promise<{ flagged: string[] }> {
  requireQuizStudent(actor)
  const { attemptId, questionId, flagged } = input
  return inTenant(actor, async (tx) => {
    const attempt = await lockAttempt(tx, actor, attemptId)
    if (attempt.state !== 'inProgress') throw formRefusal('attempt_finished')
    if (!attempt.questions.some((frozen) => frozen.questionId === questionId)) throw new Refusal('not_found')
    if (attempt.flagged.includes(questionId) === flagged) return { flagged: attempt.flagged }
    const next = flagged ? [...attempt.flagged, questionId] : attempt.flagged.filter((id) => id !== questionId)
    await updateAttempt(tx, attemptId, { flagged: next })
    await publishAttempt(attemptId, { event: 'flagged', questionId, revision: null })
    return { flagged: next }
  })
}
