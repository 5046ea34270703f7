import { z } from 'zod'
import { SCHEDULE_KINDS } from '#lib/core/shared/event/schedule-item.ts'
import { multilineText, textLine } from '#lib/core/shared/text/text.ts'
import { isTimeZone } from '#lib/core/shared/time-zone.ts'

export const SCHEDULE_VIEWS = ['month', 'week', 'day', 'agenda'] as const
export type ScheduleView = (typeof SCHEDULE_VIEWS)[number]

const id = z.uuid()
const LocalDay = z.iso.date().refine((day) => day >= '1990-01-01' && day <= '2100-12-31', 'date_format')
const TimeZone = z.string().max(64).refine(isTimeZone, 'unknown_time_zone')

/** A view of the schedule: the days around a date, and filters. */
export const ScheduleRequest = z.object({
  view: z.enum(SCHEDULE_VIEWS).default('month'),
  /** Today by default. */
  date: LocalDay.optional(),
  kind: z.enum(SCHEDULE_KINDS).optional(),
  courseId: id.optional(),
  groupId: id.optional(),
  personId: id.optional(),
})
export type ScheduleRequest = z.output<typeof ScheduleRequest>

/** An item as it is named in URLs: its kind and id, and the day on which the reader sees it. */
export const ScheduleItemKey = z.object({
  day: LocalDay,
  kind: z.enum(SCHEDULE_KINDS),
  id: z.string().min(1).max(120),
})
export type ScheduleItemKey = z.output<typeof ScheduleItemKey>

export const NOTE_LIMITS = { title: 200, text: 4000 } as const

export const SaveScheduleNote = z.object({
  noteId: id,
  title: textLine(NOTE_LIMITS.title).min(1, 'required'),
  text: multilineText(NOTE_LIMITS.text).default(''),
  startAt: z.iso.datetime(),
  /** Null: a moment. */
  minutes: z.int().min(5).max(1440).nullable(),
  /** Version that was edited; null for a new note. */
  version: z.int32().min(1).nullable(),
})
export type SaveScheduleNote = z.output<typeof SaveScheduleNote>

export const ScheduleNoteId = z.object({ noteId: id })
export type ScheduleNoteId = z.output<typeof ScheduleNoteId>

export const SaveSecondZone = z.object({ secondZone: TimeZone.nullable() })
export type SaveSecondZone = z.output<typeof SaveSecondZone>
