import { eq } from 'drizzle-orm'
import { inTenant } from '#lib/core/db/db.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { shownIdsOf, toShownAnswer } from '#lib/quiz/attempt/describe/part-ids.ts'
import { saveAnswer } from '#lib/quiz/attempt/save-answer.ts'
import type { SaveAnswer } from '#lib/quiz/attempt/schema.ts'
import { quizAttempt } from '#lib/quiz/attempt/table.ts'

/** Saves an answer whose parts are named by their stored ids, as the student of the attempt would send it. */
export async function saveDemoAnswer(student: Actor, input: SaveAnswer, now = new Date()): Promise<void> {
  const [attempt] = await inTenant(student, (tx) =>
    tx.select({ partKey: quizAttempt.partKey }).from(quizAttempt).where(eq(quizAttempt.id, input.attemptId)),
  )
  const value = toShownAnswer(input.value, shownIdsOf(attempt?.partKey ?? null, input.questionId))
  await saveAnswer(student, { ...input, value }, now)
}
