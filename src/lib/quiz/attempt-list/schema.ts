import { z } from 'zod'
import { Cursor } from '#lib/core/shared/cursor.ts'
import { ATTEMPT_STATES } from '#lib/core/shared/quiz.ts'
import { multilineText } from '#lib/core/shared/text/text.ts'

const id = z.uuid()

export const ATTEMPT_RESULTS = ['passed', 'failed'] as const

/** Filters of the list of attempts at a test. */
export const AttemptFilter = z.object({
  quizId: id,
  state: z.enum(ATTEMPT_STATES).optional(),
  result: z.enum(ATTEMPT_RESULTS).optional(),
  /** Part of a student's name or email address. */
  q: multilineText(100).default(''),
  groupId: id.optional(),
  /** Days of the start in the reader's time zone, both included. */
  from: z.iso.date().optional(),
  to: z.iso.date().optional(),
})
export type AttemptFilter = z.output<typeof AttemptFilter>

export const ListAttempts = AttemptFilter.extend({
  cursor: Cursor,
  limit: z.coerce.number().int().min(1).max(200).default(50),
})
export type ListAttempts = z.output<typeof ListAttempts>
