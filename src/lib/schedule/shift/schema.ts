import { z } from 'zod'

const id = z.uuid()

/** A shift of everything of a group that has a date on or after a day, by calendar days. */
export const ShiftGroup = z.object({
  groupId: id,
  /** Local day in the zone of the group. */
  from: z.iso.date(),
  days: z
    .int()
    .min(-365)
    .max(365)
    .refine((days) => days !== 0, 'required'),
  notify: z.boolean().default(false),
  /** Sent again, it changes nothing. */
  shiftId: id,
})
export type ShiftGroup = z.output<typeof ShiftGroup>

/** From the query of a request, where numbers are text. */
export const ShiftPreviewQuery = z.object({
  groupId: id,
  from: z.iso.date(),
  days: z.coerce.number().int().min(-365).max(365),
})

export const ShiftId = z.object({ shiftId: id })
export type ShiftId = z.output<typeof ShiftId>

/** What a shift has changed. */
export interface ShiftEffect {
  /** Changes of access by which lessons and their homework were shifted. */
  accessChangeIds: string[]
  events: { id: string; before: string; after: string }[]
  /** Exceptions of the group at tests; `before` is null where it had none. */
  tests: { quizId: string; before: ShiftedTest | null; after: ShiftedTest }[]
}

export interface ShiftedTest {
  openAt: string | null
  closeAt: string | null
  timeLimitSec: number | null
  extraAttempts: number
  extraTimeSec: number
}
