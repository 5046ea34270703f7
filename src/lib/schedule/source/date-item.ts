import type { ScheduleQuery } from '#lib/core/calendar/schedule-source.ts'
import type { ScheduleItem, ScheduleKind } from '#lib/core/shared/event/schedule-item.ts'

type DateFields = Pick<ScheduleItem, 'title' | 'startAt' | 'context' | 'href'>

/** An item that is a moment of a course: an opening or a deadline. */
export function dateItem(kind: ScheduleKind, id: string, fields: DateFields, isMovable = false): ScheduleItem {
  const moveTarget = isMovable ? ({ type: 'courseDate', id } as const) : null
  return { kind, id, ...fields, endAt: null, isDraft: false, isCanceled: false, sequence: 0, moveTarget }
}

/** Whether an instant is between the first and the last boundary. */
export function isWithinPeriod(at: Date, { boundaries }: Pick<ScheduleQuery, 'boundaries'>): boolean {
  const [first, last] = [boundaries[0], boundaries.at(-1)]
  return first !== undefined && last !== undefined && at >= first && at < last
}
