import { z } from 'zod'
import { Cursor } from '#lib/core/shared/cursor.ts'

const id = z.uuid()

export const GroupMeetingId = z.object({ groupId: id, workshopId: id })
export type GroupMeetingId = z.infer<typeof GroupMeetingId>

export const GroupMeetings = z.object({ groupId: id })
export type GroupMeetings = z.infer<typeof GroupMeetings>

/** Null removes a mark: then participation in the event is decisive again. */
export const MarkAttendance = z.object({
  groupId: id,
  workshopId: id,
  studentId: id,
  isPresent: z.boolean().nullable(),
})
export type MarkAttendance = z.infer<typeof MarkAttendance>

export const ListAttendance = z.object({
  groupId: id,
  cursor: Cursor,
  limit: z.coerce.number().int().min(1).max(100).default(50),
})
export type ListAttendance = z.output<typeof ListAttendance>

/** Where a value of the attendance table comes from: a mark of staff, the participants of the event, or none yet. */
export const ATTENDANCE_SOURCES = ['staff', 'event', 'none'] as const
