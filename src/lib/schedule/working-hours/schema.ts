import { z } from 'zod'

/** Local time of a day, `08:00`. */
const LocalTime = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'time_format')

/** The hours of a day in which a school works, local times of its zone; `24:00` is the end of the day. */
export const WorkingHours = z
  .object({ from: LocalTime, to: LocalTime.or(z.literal('24:00')) })
  .refine(({ from, to }) => from < to, { path: ['to'], error: 'end_before_start' })
export type WorkingHours = z.output<typeof WorkingHours>
