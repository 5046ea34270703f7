import { DAY_MS, HOUR_MS, MINUTE_MS } from '#lib/core/shared/time.ts'
import { dayNumber, instantOfWallTime, wallTimeOf } from '#lib/core/shared/time-zone.ts'
import type { AvailabilitySettings, DayRange } from '../availability/schema.ts'
import type { ProgramSettings } from '../program/schema.ts'

/** A time in milliseconds since 1970, `to` exclusive. */
export interface Interval {
  from: number
  to: number
}

export interface SlotInput {
  availability: AvailabilitySettings
  program: Pick<
    ProgramSettings,
    | 'sessionMinutes'
    | 'bufferBefore'
    | 'bufferAfter'
    | 'minNoticeHours'
    | 'maxDaysAhead'
    | 'slotStepMinutes'
    | 'perDayMax'
  >
  /** Times at which the mentor is not available, in any order: sessions with their buffers, events, vacations. */
  busy: readonly Interval[]
  /** The starts of the mentor's sessions in this program, for the limit per day. */
  sessionStarts: readonly number[]
  /** The period whose slots are returned. */
  from: number
  to: number
  now: number
}

/**
 * The starts of all sessions that can be booked with one mentor, ascending, in milliseconds. The hours are local times of
 * the mentor's zone, or of the zone of a journey: starts are whole steps of the local clock since the beginning of the
 * hours; those that a clock change skips do not exist, and of those that occur twice both are real. A session ends at
 * the latest when the hours end. Its buffers have to be free, but may be outside of the hours.
 */
export function listSlots(input: SlotInput): number[] {
  const { availability, program, now } = input
  const earliest = Math.max(input.from, now + program.minNoticeHours * HOUR_MS)
  const latest = Math.min(input.to, now + program.maxDaysAhead * DAY_MS)
  if (earliest >= latest) return []
  const busy = mergeIntervals(input.busy)
  const counts = countSessionsByDay(input)
  const slots: number[] = []
  for (const { day, zone, ranges } of listLocalDays(availability, earliest, latest)) {
    if (program.perDayMax !== null && (counts.get(day) ?? 0) >= program.perDayMax) continue
    for (const range of ranges) {
      for (const start of rangeStarts(day, range, zone, program)) {
        if (start >= earliest && start < latest && isFree(busy, start, program)) slots.push(start)
      }
    }
  }
  // The days of two zones around a journey may overlap.
  return availability.travels.length > 0 ? [...new Set(slots)].sort((a, b) => a - b) : slots
}

interface LocalDay {
  day: number
  zone: string
  ranges: readonly DayRange[]
}

/** The days that touch a period, each with its hours and its zone. */
function listLocalDays({ timeZone, weekly, overrides, travels }: AvailabilitySettings, from: number, to: number) {
  const overrideByDay = new Map(overrides.map(({ date, ranges }) => [dayOfDate(date), ranges]))
  const days: LocalDay[] = []
  // One more day on each side: a journey may lead to a zone that is a day ahead or behind.
  const last = dayNumber(new Date(to), timeZone) + 1
  for (let day = dayNumber(new Date(from), timeZone) - 1; day <= last; day += 1) {
    // 1970-01-01 was a Thursday, and weeks begin on Monday.
    const ranges = overrideByDay.get(day) ?? weekly[(day + 3) % 7] ?? []
    if (ranges.length > 0) days.push({ day, zone: zoneOfDay(day, timeZone, travels), ranges: sortRanges(ranges) })
  }
  return days
}

const dayOfDate = (date: string): number => Date.parse(`${date}T00:00:00Z`) / DAY_MS

const sortRanges = (ranges: readonly DayRange[]): readonly DayRange[] =>
  ranges.length > 1 ? ranges.toSorted((a, b) => a.from - b.from) : ranges

/** The zone of a mentor on a local day. */
function zoneOfDay(day: number, timeZone: string, travels: AvailabilitySettings['travels']): string {
  const journey = travels.find(({ from, to }) => dayOfDate(from) <= day && day <= dayOfDate(to))
  return journey?.timeZone ?? timeZone
}

function countSessionsByDay({ availability, sessionStarts }: SlotInput): ReadonlyMap<number, number> {
  const counts = new Map<number, number>()
  for (const start of sessionStarts) {
    const at = new Date(start)
    const zone = zoneOfDay(dayNumber(at, availability.timeZone), availability.timeZone, availability.travels)
    const day = dayNumber(at, zone)
    counts.set(day, (counts.get(day) ?? 0) + 1)
  }
  return counts
}

/** The starts within one range of hours of one local day, ascending. */
function rangeStarts(
  day: number,
  { from, to }: DayRange,
  zone: string,
  { sessionMinutes, slotStepMinutes }: SlotInput['program'],
): number[] {
  const midnight = day * DAY_MS
  const stepMs = slotStepMinutes * MINUTE_MS
  const lastMs = sessionMinutes * MINUTE_MS
  const [firstWall, endWall] = [midnight + from * MINUTE_MS, midnight + to * MINUTE_MS]
  const starts: number[] = []
  const offset = constantOffset(day, zone)
  if (offset !== null) {
    for (let wall = firstWall; wall + lastMs <= endWall; wall += stepMs) starts.push(wall - offset)
    return starts
  }
  // The clock changes around this day: a skipped hour at the end ends the range, a repeated one prolongs it.
  const end = lastInstantOf(endWall, zone)
  for (let wall = firstWall; wall < endWall; wall += stepMs) {
    for (const start of instantsOf(wall, zone)) if (start + lastMs <= end) starts.push(start)
  }
  return starts.sort((a, b) => a - b)
}

const offsetAt = (at: number, zone: string): number => wallTimeOf(new Date(at), zone) - at

/** The offset of a zone from UTC on a local day, or null where it may change. */
function constantOffset(day: number, zone: string): number | null {
  // Local days begin at most 14 hours before and 12 hours after that day in UTC.
  const before = offsetAt((day - 1) * DAY_MS, zone)
  return before === offsetAt((day + 2) * DAY_MS, zone) ? before : null
}

/** The instants of a local time: none if the clocks skip it, two if it occurs twice. */
function instantsOf(wall: number, zone: string): number[] {
  const offsets = [offsetAt(wall - DAY_MS, zone), offsetAt(wall + DAY_MS, zone)]
  const instants = offsets.map((offset) => wall - offset).filter((at) => at + offsetAt(at, zone) === wall)
  return [...new Set(instants)]
}

const lastInstantOf = (wall: number, zone: string): number =>
  Math.max(...instantsOf(wall, zone), instantOfWallTime(wall, zone).getTime())

/** Sorted intervals that do not overlap. */
function mergeIntervals(intervals: readonly Interval[]): Interval[] {
  const merged: Interval[] = []
  for (const { from, to } of intervals.toSorted((a, b) => a.from - b.from)) {
    const last = merged.at(-1)
    if (last && from <= last.to) last.to = Math.max(last.to, to)
    else merged.push({ from, to })
  }
  return merged
}

function isFree(
  busy: readonly Interval[],
  start: number,
  { sessionMinutes, bufferBefore, bufferAfter }: SlotInput['program'],
): boolean {
  const from = start - bufferBefore * MINUTE_MS
  const to = start + (sessionMinutes + bufferAfter) * MINUTE_MS
  // The first busy time that ends after the beginning.
  let low = 0
  let high = busy.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((busy[middle]?.to ?? 0) > from) high = middle
    else low = middle + 1
  }
  const next = busy[low]
  return next === undefined || next.from >= to
}
