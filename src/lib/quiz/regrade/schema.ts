import { z } from 'zod'

const id = z.uuid()

/** A question and the version whose key counts. */
export const CorrectedKey = z.object({ questionId: id, version: z.int().min(1) })
export type CorrectedKey = z.output<typeof CorrectedKey>

/** The versions that the preview was made with: a key that was corrected again meanwhile needs a new preview. */
export const StartRegrade = z.object({
  quizId: id,
  /** Chosen by the form, so that posting it twice regrades once. */
  regradeId: id,
  keys: z.array(CorrectedKey).min(1).max(500),
})
export type StartRegrade = z.output<typeof StartRegrade>
