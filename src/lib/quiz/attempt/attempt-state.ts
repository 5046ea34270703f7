import { eq } from 'drizzle-orm'
import { inTenant } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { AttemptState } from '#lib/core/shared/quiz.ts'
import { requireQuizStudent } from '../permission.ts'
import type { AnswerValue } from '../question/schema.ts'
import { shownIdsOf, toShownAnswer } from './describe/part-ids.ts'
import type { AttemptId } from './schema.ts'
import { quizAnswer, quizAttempt } from './table.ts'

/** The state by which a device synchronizes with the server and with other devices. */
export interface AttemptSync {
  state: AttemptState
  deadlineAt: Date | null
  /** The server's clock. */
  now: Date
  flagged: string[]
  answers: { questionId: string; revision: number; value: AnswerValue | null; closed: boolean }[]
}

/** The student's own attempt with its saved answers. Refuses with forbidden, not_found. */
export async function getAttempt(actor: Actor, input: AttemptId, now = new Date()): Promise<AttemptSync> {
  requireQuizStudent(actor)
  const { attemptId } = input
  return inTenant(actor, async (tx) => {
    const [[attempt], answers] = await Promise.all([
      tx
        .select({
          studentId: quizAttempt.studentId,
          state: quizAttempt.state,
          deadlineAt: quizAttempt.deadlineAt,
          flagged: quizAttempt.flagged,
          partKey: quizAttempt.partKey,
        })
        .from(quizAttempt)
        .where(eq(quizAttempt.id, attemptId)),
      tx
        .select({
          questionId: quizAnswer.questionId,
          revision: quizAnswer.revision,
          value: quizAnswer.value,
          closedAt: quizAnswer.closedAt,
        })
        .from(quizAnswer)
        .where(eq(quizAnswer.attemptId, attemptId)),
    ])
    if (attempt?.studentId !== actor.membershipId) throw new Refusal('not_found')
    const { state, deadlineAt, flagged, partKey } = attempt
    return {
      state,
      deadlineAt,
      now,
      flagged,
      answers: answers.map(({ questionId, revision, value, closedAt }) => ({
        questionId,
        revision,
        value: toShownAnswer(value, shownIdsOf(partKey, questionId)),
        closed: closedAt !== null,
      })),
    }
  })
}
