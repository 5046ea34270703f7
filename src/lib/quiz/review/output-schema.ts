import { z } from 'zod'
import { ATTEMPT_STATES } from '#lib/core/shared/quiz.ts'

export const SavedReviewOutput = z.object({ revision: z.number() })

export const ReviewedAttemptOutput = z.object({
  state: z.enum(ATTEMPT_STATES),
  score: z.number().nullable(),
  passed: z.boolean().nullable(),
})
