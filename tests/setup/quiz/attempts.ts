import type { Actor } from '#lib/core/shared/actor.ts'
import { startAttempt, submitAttempt } from '#lib/quiz/attempt/attempt.ts'
import { saveAnswer } from '#lib/quiz/attempt/save-answer.ts'
import type { AnswerValue } from '#lib/quiz/question/schema.ts'

/** A submitted attempt with these answers to the questions of a test, in their order; null is no answer. */
export async function submittedAttempt(
  student: Actor,
  { quizId, questionIds }: { quizId: string; questionIds: readonly string[] },
  values: readonly (AnswerValue | null)[],
): Promise<string> {
  const { attemptId } = await startAttempt(student, { quizId, password: '' })
  for (const [index, value] of values.entries())
    if (value) await saveAnswer(student, { attemptId, questionId: questionIds[index] ?? '', revision: 1, value })
  await submitAttempt(student, { attemptId })
  return attemptId
}
