import { z } from 'zod'

const id = z.uuid()

/** A question and the version whose key is used. */
export const CorrectedKey = z.object({ questionId: id, version: z.int().min(1).max(2_147_483_647) })
export type CorrectedKey = z.output<typeof CorrectedKey>

/** The versions that the preview was computed with: a key that was corrected again requires a new preview. */
export const StartRegrade = z.object({
  quizId: id,
  /** Chosen by the form, so that posting it twice regrades once. */
  regradeId: id,
  keys: z.array(CorrectedKey).min(1).max(500),
})
export type StartRegrade = z.output<typeof StartRegrade>
