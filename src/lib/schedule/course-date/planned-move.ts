import type { ShiftedDate } from '../shift/plan.ts'
import type { CourseDateKind } from './schema.ts'

export interface CourseDateMove {
  kind: CourseDateKind
  title: string
  courseId: string
  courseTitle: string
  /** Null: the date of the course. */
  groupId: string | null
  before: Date
  /** The new date. Dates of groups move by whole days, so that it may have another time than the requested one. */
  after: Date
  /** Further dates that move with it. */
  together: ShiftedDate[]
  save: () => Promise<unknown>
}

export interface CourseDateRequest {
  kind: CourseDateKind
  /** Id of the item in the schedule. */
  id: string
  startAt: Date
}
