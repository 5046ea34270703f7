import { z } from 'zod'
import { ATTEMPT_STATES } from '#lib/core/shared/quiz.ts'

const AttemptListRow = z.object({
  id: z.string(),
  studentId: z.string(),
  student: z.string(),
  email: z.string(),
  number: z.number(),
  state: z.enum(ATTEMPT_STATES),
  startedAt: z.date(),
  submittedAt: z.date().nullable(),
  score: z.number().nullable(),
  maxScore: z.number(),
  passed: z.boolean().nullable(),
})

export const AttemptListPage = z.object({ items: z.array(AttemptListRow), next: z.string().nullable() })
