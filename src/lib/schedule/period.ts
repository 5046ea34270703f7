import { DAY_MS } from '#lib/core/shared/time.ts'
import { instantOfDay, localDay } from '#lib/core/shared/time-zone.ts'
import type { ScheduleView } from './schema.ts'

/** The days that a view shows. */
export interface SchedulePeriod {
  /** The day around which the period was chosen, `2026-11-24`. */
  date: string
  /** The current day in the reader's zone. */
  today: string
  days: string[]
  /** The first instant of each day, and the end of the last one. */
  boundaries: Date[]
  /** Days of the previous and of the next period. */
  previous: string
  next: string
}

/** Days of the agenda. */
const AGENDA_DAYS = 30
const WEEK_DAYS = 7

/**
 * The period of a view around a local day. A month is extended to whole weeks, which begin on Monday; an agenda begins
 * with the day. Days have 23 or 25 hours when clocks change.
 */
export function periodOf(view: ScheduleView, date: string | undefined, zone: string, now: Date): SchedulePeriod {
  const today = localDay(now, zone)
  const chosen = date ?? today
  const { first, count, previous, next } = RANGES[view](numberOfDay(chosen))
  const days = Array.from({ length: count }, (_, index) => dayOfNumber(first + index))
  const boundaries = Array.from({ length: count + 1 }, (_, index) => instantOfDay(first + index, '00:00', zone))
  return { date: chosen, today, days, boundaries, previous: dayOfNumber(previous), next: dayOfNumber(next) }
}

interface Range {
  /** Days since 1970. */
  first: number
  count: number
  previous: number
  next: number
}

const RANGES: Record<ScheduleView, (day: number) => Range> = {
  day: (day) => ({ first: day, count: 1, previous: day - 1, next: day + 1 }),
  week: (day) => {
    const first = mondayOf(day)
    return { first, count: WEEK_DAYS, previous: day - WEEK_DAYS, next: day + WEEK_DAYS }
  },
  month: monthRange,
  agenda: (day) => ({ first: day, count: AGENDA_DAYS, previous: day - AGENDA_DAYS, next: day + AGENDA_DAYS }),
}

function monthRange(day: number): Range {
  const at = new Date(day * DAY_MS)
  const firstOf = (month: number) => Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + month, 1) / DAY_MS
  const first = mondayOf(firstOf(0))
  const count = Math.ceil((firstOf(1) - first) / WEEK_DAYS) * WEEK_DAYS
  return { first, count, previous: firstOf(-1), next: firstOf(1) }
}

const numberOfDay = (day: string): number => Date.parse(`${day}T00:00:00Z`) / DAY_MS
const dayOfNumber = (number: number): string => new Date(number * DAY_MS).toISOString().slice(0, 10)

// Day 0 was a Thursday.
const mondayOf = (day: number): number => day - ((((day + 3) % WEEK_DAYS) + WEEK_DAYS) % WEEK_DAYS)
