import { z } from 'zod'
import { BulkChange } from './schema.ts'

export const BulkJobView = z.object({
  id: z.string(),
  action: z.enum([
    'email',
    'invite',
    'addToCourse',
    'addToGroup',
    'extend',
    'freeze',
    'tag',
    'untag',
    'block',
    'unblock',
    'delete',
    'restore',
  ]),
  change: BulkChange,
  state: z.enum(['queued', 'running', 'done', 'draft', 'recalled']),
  total: z.number(),
  doneCount: z.number(),
  unchangedCount: z.number(),
  failedCount: z.number(),
  createdAt: z.date(),
  endedAt: z.date().nullable(),
  isRecallable: z.boolean(),
  rows: z.array(
    z.object({
      studentId: z.string(),
      name: z.string(),
      email: z.string(),
      locale: z.enum(['uk', 'en']),
      reason: z
        .enum([
          'too_many',
          'blocked',
          'has_it',
          'already_accepted',
          'no_access',
          'limit_student_count',
          'letters_of_day',
          'undeliverable',
          'course_archived',
          'refused',
        ])
        .nullable(),
    }),
  ),
})
