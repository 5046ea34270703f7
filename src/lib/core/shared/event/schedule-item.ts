/**
 * Kinds of items of the schedule. A meeting is an event that belongs to a study group; `busy` is a time that is taken in
 * the reader's calendar of another program, without a title.
 */
export const SCHEDULE_KINDS = [
  'webinar',
  'autoWebinar',
  'masterclass',
  'meeting',
  'booking',
  'lesson',
  'homework',
  'test',
  'note',
  'busy',
] as const
export type ScheduleKind = (typeof SCHEDULE_KINDS)[number]

/** One item of the schedule. */
export interface ScheduleItem {
  kind: ScheduleKind
  /** Identifies the item among those of its kind, for all readers. It has no `:`. */
  id: string
  title: string
  startAt: Date
  /** Null: a moment, such as a deadline. */
  endAt: Date | null
  /** Course and group, as far as it has them. */
  context: string | null
  /** Path of the page of the item; null: it has none that the reader may open. */
  href: string | null
  isDraft: boolean
  isCanceled: boolean
  /** Increases with every change of the time, so that calendar programs use the newest version. */
  sequence: number
  /** Set where the reader may move the item: what is moved, in its owning module. */
  moveTarget: { type: 'event' | 'autoSession' | 'note' | 'booking' | 'courseDate'; id: string } | null
}
