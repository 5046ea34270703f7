import { z } from 'zod'
import { ATTENDANCE_SOURCES } from './schema.ts'

const Meeting = z.object({
  workshopId: z.string(),
  title: z.string(),
  type: z.string(),
  startAt: z.date().nullable(),
  timeZone: z.string(),
  isOver: z.boolean(),
  present: z.number(),
})

export const Meetings = z.array(Meeting)

export const LinkableEvents = z.array(
  z.object({ workshopId: z.string(), title: z.string(), startAt: z.date().nullable() }),
)

export const AttendancePage = z.object({
  meetings: z.array(Meeting),
  rows: z.array(
    z.object({
      studentId: z.string(),
      name: z.string(),
      email: z.string(),
      /** In the order of the meetings. */
      cells: z.array(z.object({ isPresent: z.boolean().nullable(), source: z.enum(ATTENDANCE_SOURCES) })),
    }),
  ),
  next: z.string().nullable(),
})
