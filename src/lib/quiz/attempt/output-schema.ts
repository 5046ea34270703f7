import { z } from 'zod'
import { ATTEMPT_STATES } from '#lib/core/shared/quiz.ts'
import { AnswerValue } from '../question/schema.ts'

export const RunningAttemptOutput = z.object({
  attemptId: z.string(),
  number: z.number(),
  deadlineAt: z.date().nullable(),
  resumed: z.boolean(),
})

export const SavedAnswerOutput = z.object({ questionId: z.string(), revision: z.number(), savedAt: z.date() })

export const LateAnswerOutput = z.object({ questionId: z.string(), revision: z.number(), late: z.boolean() })

export const ReceiptOutput = z.object({
  attemptId: z.string(),
  state: z.enum(ATTEMPT_STATES),
  submittedAt: z.date().nullable(),
})

export const PageOutput = z.object({ page: z.number() })

export const AttemptOutput = z.object({
  state: z.enum(ATTEMPT_STATES),
  deadlineAt: z.date().nullable(),
  now: z.date(),
  flagged: z.array(z.string()),
  answers: z.array(
    z.object({ questionId: z.string(), revision: z.number(), value: AnswerValue.nullable(), closed: z.boolean() }),
  ),
})

export const CheckedOutput = z.object({ questionId: z.string(), closedAt: z.date() })

export const FlaggedOutput = z.object({ flagged: z.array(z.string()) })

export const StartedUploadOutput = z.object({ uploadId: z.string(), partBytes: z.number(), parts: z.number() })

export const DeadlineOutput = z.object({ deadlineAt: z.date() })
