import { z } from 'zod'
import { SCHEDULE_KINDS } from '#lib/core/shared/event/schedule-item.ts'
import { CALENDAR_ERRORS } from '#lib/mentoring/busy-calendar/schema.ts'
import { HOLIDAYS } from './move/schema.ts'
import { WorkingHours } from './working-hours/schema.ts'

export const ScheduleItemOutput = z.object({
  kind: z.enum(SCHEDULE_KINDS),
  id: z.string(),
  title: z.string(),
  startAt: z.date(),
  /** Null: a moment, such as a deadline. */
  endAt: z.date().nullable(),
  context: z.string().nullable(),
  href: z.string().nullable(),
  isDraft: z.boolean(),
  isCanceled: z.boolean(),
  sequence: z.number(),
  moveTarget: z
    .object({ type: z.enum(['event', 'autoSession', 'note', 'booking', 'courseDate']), id: z.string() })
    .nullable(),
})

export const ScheduleOutput = z.object({
  period: z.object({
    date: z.string(),
    today: z.string(),
    days: z.array(z.string()),
    boundaries: z.array(z.date()),
    previous: z.string(),
    next: z.string(),
  }),
  days: z.array(
    z.object({
      day: z.string(),
      items: z.array(ScheduleItemOutput),
      /** Number of further items of the day. */
      omitted: z.number(),
    }),
  ),
})

const options = z.array(z.object({ value: z.string(), label: z.string() }))
export const ScheduleFilterOptions = z.object({ courses: options, groups: options, people: options })

const ShiftedDateOutput = z.object({
  kind: z.enum(['lesson', 'homework', 'test', 'meeting']),
  title: z.string(),
  before: z.date(),
  after: z.date(),
  otherGroups: z.string().nullable(),
})

const busyWith = z.array(z.object({ name: z.string(), title: z.string(), startAt: z.date() }))

export const MovePreviewOutput = z.object({
  item: ScheduleItemOutput,
  startAt: z.date(),
  endAt: z.date().nullable(),
  /**
   * Confirmed registrants of an event or students of a course, who can be notified of the new time, or the students of a
   * session, who always are.
   */
  people: z.number(),
  /** Null for notes. */
  conflicts: z
    .object({
      presenters: busyWith,
      groups: busyWith,
      /** The working hours of the school, when the time is outside of them. */
      outsideHours: WorkingHours.nullable(),
      holiday: z.enum(HOLIDAYS).nullable(),
    })
    .nullable(),
  /** Further dates that move with that of a lesson or of homework. */
  together: z.array(ShiftedDateOutput),
})

export const MovedOutput = z.object({ startAt: z.string() })
export const RepeatedOutput = z.object({ added: z.number() })

export const NoteOutput = z.object({
  id: z.string(),
  title: z.string(),
  text: z.string(),
  startAt: z.date(),
  minutes: z.number().nullable(),
  version: z.number(),
})

export const ShiftPreviewOutput = z.object({
  dates: z.array(ShiftedDateOutput),
  /** Confirmed registrants of the meetings. */
  people: z.number(),
})

export const ShiftedOutput = z.object({ shiftId: z.string(), dates: z.number() })
export const ShiftOutput = z.object({ shiftId: z.string() })

export const ScheduleReaderOutput = z.object({
  secondZone: z.string().nullable(),
  feedCreatedAt: z.date().nullable(),
})
export const BusyCalendarOutput = z.object({
  /** Null without one. */
  calendar: z
    .object({
      host: z.string(),
      error: z.enum(CALENDAR_ERRORS).nullable(),
      timeCount: z.number(),
      readAt: z.date().nullable(),
    })
    .nullable(),
})
export const FeedOutput = z.object({ href: z.string() })
export const RevokedOutput = z.object({ revoked: z.literal(true) })
