import { z } from 'zod'
import { REGRADE_STATES } from '#lib/core/shared/quiz.ts'

const Result = z.object({ score: z.number(), passed: z.boolean() })

export const RegradePreviewOutput = z.object({
  questions: z.array(
    z.object({ questionId: z.string(), title: z.string(), version: z.number(), attempts: z.number() }),
  ),
  changes: z.array(
    z.object({
      attemptId: z.string(),
      studentId: z.string(),
      student: z.string(),
      number: z.number(),
      maxScore: z.number(),
      before: Result,
      after: Result,
    }),
  ),
  checked: z.number(),
  changed: z.number(),
  nowPassed: z.number(),
  nowFailed: z.number(),
})

export const StartedRegradeOutput = z.object({ regradeId: z.string() })

export const LastRegradeOutput = z
  .object({
    id: z.string(),
    state: z.enum(REGRADE_STATES),
    checked: z.number(),
    changed: z.number(),
    at: z.date(),
    finishedAt: z.date().nullable(),
  })
  .nullable()
