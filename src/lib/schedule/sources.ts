import type { ScheduleSource } from '#lib/core/calendar/schedule-source.ts'
import { autoSessionSource } from './source/auto-sessions.ts'
import { bookingSource } from './source/bookings.ts'
import { busySource } from './source/busy.ts'
import { eventSource } from './source/events.ts'
import { noteSource } from './source/notes.ts'
import { staffDateSource } from './source/staff-dates.ts'
import { studentDateSource } from './source/student-dates.ts'
import { testSource } from './source/tests.ts'

/** Where the items of the schedule come from. A module with a source of its own adds a line. */
export const SCHEDULE_SOURCES: readonly ScheduleSource[] = [
  eventSource,
  autoSessionSource,
  bookingSource,
  staffDateSource,
  studentDateSource,
  testSource,
  noteSource,
  busySource,
]
