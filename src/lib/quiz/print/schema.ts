import { z } from 'zod'

/** The most variants of one test. */
export const MAX_VARIANTS = 20

export const PrintTest = z.object({
  quizId: z.uuid(),
  /** Whether the right answers and explanations are printed too. */
  answers: z.boolean(),
  /** The same number prints the same questions in the same order. */
  variant: z.coerce.number().int().min(1).max(MAX_VARIANTS),
})
export type PrintTest = z.output<typeof PrintTest>
