import { z } from 'zod'

const id = z.uuid()

/** `revision` identifies one of several late answers to a question. */
export const AcceptLateAnswer = z.strictObject({
  attemptId: id,
  questionId: id,
  revision: z.coerce.number().int().min(1).max(2_147_483_647),
})
export type AcceptLateAnswer = z.output<typeof AcceptLateAnswer>
