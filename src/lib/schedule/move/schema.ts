import { z } from 'zod'
import { multilineText } from '#lib/core/shared/text/text.ts'
import { COURSE_DATE_KINDS, CourseDateId, type CourseDateKind } from '../course-date/schema.ts'
import { ScheduleItemKey } from '../schema.ts'

/** Public holidays of Ukraine by article 73 of the Labour Code, as amended in 2023. */
export const HOLIDAYS = [
  'newYear',
  'womensDay',
  'easter',
  'laborDay',
  'remembranceDay',
  'trinity',
  'constitutionDay',
  'statehoodDay',
  'independenceDay',
  'defendersDay',
  'christmas',
] as const
export type Holiday = (typeof HOLIDAYS)[number]

/** Kinds of items that can be moved in the schedule. */
const MOVABLE_KINDS = [
  'webinar',
  'autoWebinar',
  'masterclass',
  'meeting',
  'note',
  'booking',
  ...COURSE_DATE_KINDS,
] as const

/** Whether an item of a kind is a moment of a course. */
export function isCourseDateKind(kind: string): kind is CourseDateKind {
  return COURSE_DATE_KINDS.some((name) => name === kind)
}

export const MovePreviewQuery = ScheduleItemKey.extend({ startAt: z.iso.datetime() })

/** How many weekly copies of an event can be added at once. */
export const MAX_REPEATS = 12

export const MoveScheduleItem = z
  .object({
    kind: z.enum(MOVABLE_KINDS),
    /** The id in `moves` of the item; only dates of a course may have that of a group too. */
    id: CourseDateId,
    /** The start that the reader saw. */
    from: z.iso.datetime(),
    startAt: z.iso.datetime(),
    /** Whether registrants or students are notified; required where there are any. */
    notify: z.boolean().optional(),
    /** Of a session with a mentor, which its students read. */
    reason: multilineText(1000).optional(),
  })
  .refine(({ kind, reason }) => kind !== 'booking' || Boolean(reason), { path: ['reason'], message: 'required' })
  .refine(({ kind, id }) => isCourseDateKind(kind) || z.uuid().safeParse(id).success, { path: ['id'] })
export type MoveScheduleItem = z.output<typeof MoveScheduleItem>

export const RepeatWeekly = z.object({
  workshopId: z.uuid(),
  weeks: z.coerce.number().int().min(1).max(MAX_REPEATS),
  /** Start of the event, as the reader saw it. */
  from: z.iso.datetime(),
})
export type RepeatWeekly = z.output<typeof RepeatWeekly>
