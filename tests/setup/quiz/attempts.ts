import { eq } from 'drizzle-orm'
import { inTenant } from '#lib/core/db/db.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { startAttempt, submitAttempt } from '#lib/quiz/attempt/attempt.ts'
import { shownIdsOf, toShownAnswer } from '#lib/quiz/attempt/describe/part-ids.ts'
import { saveAnswer as saveShownAnswer } from '#lib/quiz/attempt/save-answer.ts'
import type { SaveAnswer } from '#lib/quiz/attempt/schema.ts'
import { quizAttempt } from '#lib/quiz/attempt/table.ts'
import type { AnswerValue } from '#lib/quiz/question/schema.ts'

/** An answer with the stored ids of its parts as the student of an attempt sees and sends it. */
export async function shownAnswer<T extends AnswerValue | null>(
  actor: Actor,
  { attemptId, questionId }: { attemptId: string; questionId: string },
  value: T,
): Promise<T> {
  const [row] = await inTenant(actor, (tx) =>
    tx.select({ partKey: quizAttempt.partKey }).from(quizAttempt).where(eq(quizAttempt.id, attemptId)),
  )
  return toShownAnswer(value, shownIdsOf(row?.partKey ?? null, questionId)) as T
}

/** Saves an answer whose parts are named by their stored ids. */
export async function saveAnswer(actor: Actor, input: SaveAnswer, now = new Date()) {
  return saveShownAnswer(actor, { ...input, value: await shownAnswer(actor, input, input.value) }, now)
}

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
