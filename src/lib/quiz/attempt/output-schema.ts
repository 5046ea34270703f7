import { z } from 'zod'
import { ATTEMPT_STATES } from '#lib/core/shared/quiz.ts'

export const RunningAttemptOutput = z.object({
  attemptId: z.string(),
  number: z.number(),
  deadlineAt: z.date().nullable(),
  resumed: z.boolean(),
})

export const SavedAnswerOutput = z.object({ questionId: z.string(), revision: z.number(), savedAt: z.date() })

export const ReceiptOutput = z.object({
  attemptId: z.string(),
  state: z.enum(ATTEMPT_STATES),
  submittedAt: z.date().nullable(),
})

export const PageOutput = z.object({ page: z.number() })

export const DeadlineOutput = z.object({ deadlineAt: z.date() })
