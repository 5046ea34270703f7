import { z } from 'zod'
import { BULK_ACTIONS, BULK_STATES } from '#lib/core/shared/learning.ts'
import { BulkChange } from './schema.ts'

export const BulkJobView = z.object({
  id: z.string(),
  action: z.enum(BULK_ACTIONS),
  change: BulkChange,
  state: z.enum(BULK_STATES),
  total: z.number(),
  doneCount: z.number(),
  unchangedCount: z.number(),
  failedCount: z.number(),
  createdAt: z.date(),
  endedAt: z.date().nullable(),
  rows: z.array(
    z.object({
      studentId: z.string(),
      name: z.string(),
      email: z.string(),
      locale: z.enum(['uk', 'en']),
      reason: z
        .enum([
          'has_it',
          'no_access',
          'limit_student_count',
          'course_archived',
          'group_full',
          'group_finished',
          'refused',
        ])
        .nullable(),
    }),
  ),
})
