import type { Tx } from '../db/db.ts'
import type { Actor } from '../shared/actor.ts'
import type { ScheduleItem, ScheduleKind } from '../shared/event/schedule-item.ts'

/** The fields of an actor by which a source decides; a calendar feed is read without a login session. */
export type ScheduleViewer = Pick<Actor, 'tenantId' | 'membershipId' | 'email' | 'roles' | 'timeZone'>

export interface ScheduleFilters {
  kind?: ScheduleKind | undefined
  courseId?: string | undefined
  groupId?: string | undefined
  /** A team member who is assigned to the item. */
  personId?: string | undefined
}

export interface ScheduleQuery {
  /** The first instant of each day, ascending, and the end of the last one. */
  boundaries: readonly Date[]
  /** A source may omit further items of a day, and reports their number in `omitted`. */
  maxPerDay: number
  /** Time zone of the reader. */
  zone: string
  now: Date
  filters: ScheduleFilters
}

export interface ScheduleResult {
  items: ScheduleItem[]
  /** Number of items that were omitted, by the index of the day. */
  omitted?: ReadonlyMap<number, number>
}

/**
 * A source of items of the schedule. It returns the items between the first and the last boundary that the viewer
 * may see, which it decides itself. A module below the schedule implements it; lib/schedule/sources.ts lists all of them.
 */
export interface ScheduleSource {
  /** A source is not asked when another kind is selected. */
  kinds: readonly ScheduleKind[]
  loadItems: (tx: Tx, viewer: ScheduleViewer, query: ScheduleQuery) => Promise<ScheduleResult>
}
