import { and, eq } from 'drizzle-orm'
import { inTenant } from '#lib/core/db/db.ts'
import { formRefusal, Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { requireQuizStudent } from '../permission.ts'
import { shownIdsOf, toShownAnswer } from './describe/part-ids.ts'
import { publishAttempt } from './finish.ts'
import { loadForSave, requireOpenQuestion } from './load-for-save.ts'
import type { CheckAnswer } from './schema.ts'
import { quizAnswer } from './table.ts'

/**
 * Makes an answer final in a test with feedback after each question, so that its feedback may be shown; a repeated call
 * changes nothing. Refuses with forbidden, not_found, conflict (the answer has changed since `revision`),
 * unprocessable: attempt_finished, attempt_over, answer_page, answer_missing, answer_feedback (the test shows it
 * later).
 */
export async function checkAnswer(
  actor: Actor,
  input: CheckAnswer,
  now = new Date(),
): Promise<{ questionId: string; closedAt: Date }> {
  requireQuizStudent(actor)
  const { attemptId, questionId, revision } = input
  return inTenant(actor, async (tx) => {
    const { attempt } = await loadForSave(tx, actor, attemptId, questionId)
    requireOpenQuestion(attempt, questionId, now)
    if (attempt.rules.feedback !== 'afterEach') throw formRefusal('answer_feedback')
    const isAnswer = and(eq(quizAnswer.attemptId, attemptId), eq(quizAnswer.questionId, questionId))
    const [answer] = await tx.select().from(quizAnswer).where(isAnswer).for('update')
    if (!answer || answer.value === null) throw formRefusal('answer_missing')
    if (answer.closedAt !== null) return { questionId, closedAt: answer.closedAt }
    if (answer.revision !== revision) {
      throw new Refusal('conflict', {
        fields: { form: ['answer_older'] },
        data: {
          revision: answer.revision,
          value: toShownAnswer(answer.value, shownIdsOf(attempt.partKey, questionId)),
        },
      })
    }
    await tx.update(quizAnswer).set({ closedAt: now }).where(isAnswer)
    await publishAttempt(attemptId, { event: 'checked', questionId, revision })
    return { questionId, closedAt: now }
  })
}
