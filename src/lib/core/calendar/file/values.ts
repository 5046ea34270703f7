import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../shared/time.ts'
import type { ContentLine } from './content-lines.ts'
import { UTC, type Zone, type ZoneFinder } from './zones.ts'

/** A DATE or DATE-TIME value. */
export interface CalendarTime {
  /** The local time as written, in milliseconds as if it were UTC. */
  wall: number
  isDate: boolean
  /** Milliseconds since 1970; of a date the start of the day. */
  at: number
  zone: Zone
}

/** Whole days keep the local time across clock changes, the rest is exact. */
export interface Duration {
  days: number
  ms: number
}

export interface CalendarPeriod {
  start: CalendarTime
  duration: Duration
}

export interface ValueContext {
  zones: ZoneFinder
  /** Zone of local times without a zone, and of those whose zone is unknown. */
  floating: Zone
  /** Zone of whole days. */
  days: Zone
}

/** Longer events are mistakes. */
const MAX_DURATION_MS = 3660 * DAY_MS

/** The times of a property, separated by commas; null for each that cannot be read. */
export function readTimes(line: ContentLine, context: ValueContext): (CalendarTime | null)[] {
  return line.value.split(',').map((text) => readCalendarTime(text, line, context))
}

/** A time of a property: also extended formats (`2026-12-01T10:00:00Z`), and dates without VALUE=DATE. */
export function readCalendarTime(text: string, { params }: ContentLine, context: ValueContext): CalendarTime | null {
  const match = TIME.exec(text.trim())
  if (!match) return null
  const [, year, month, day, hour, minute, second, utc] = match
  const date = Date.UTC(Number(year), Number(month) - 1, Number(day))
  const isRealDate = new Date(date).getUTCDate() === Number(day) && Number(month) <= 12 && Number(year) >= 1000
  if (!isRealDate) return null
  // Some programs write VALUE=DATE before midnight, others before real times.
  const isMidnight = Number(hour) === 0 && Number(minute) === 0
  if (hour === undefined || (isMidnight && params.get('VALUE')?.toUpperCase() === 'DATE')) {
    return { wall: date, isDate: true, at: context.days.toInstant(date), zone: context.days }
  }
  const [hours, minutes, seconds] = [Number(hour), Number(minute), Number(second ?? 0)]
  if (hours > 24 || minutes > 59 || seconds > 60) return null
  const wall = date + hours * HOUR_MS + minutes * MINUTE_MS + seconds * 1000
  const zone = utc ? UTC : (context.zones.find(params.get('TZID') ?? '') ?? context.floating)
  return { wall, isDate: false, at: zone.toInstant(wall), zone }
}

const TIME = /^(\d{4})-?(\d{2})-?(\d{2})(?:[T ](\d{2}):?(\d{2})(?::?(\d{2})(?:\.\d{1,9})?)?(Z)?)?$/i

/** A duration such as `PT1H30M` or `P1W`; null when it is none, negative, or longer than ten years. */
export function readDuration(text: string): Duration | null {
  const match = DURATION.exec(text.trim())
  if (!match || !/\d/.test(text)) return null
  const [weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = match.slice(1).map((part) => Number(part ?? 0))
  const duration = { days: weeks * 7 + days, ms: hours * HOUR_MS + minutes * MINUTE_MS + seconds * 1000 }
  return duration.days * DAY_MS + duration.ms <= MAX_DURATION_MS ? duration : null
}

const DURATION = /^\+?P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/i

/** The duration from a start to an end; null when the end is earlier, or later than in ten years. */
export function durationBetween(start: CalendarTime, end: CalendarTime): Duration | null {
  const duration =
    start.isDate && end.isDate ? { days: (end.wall - start.wall) / DAY_MS, ms: 0 } : { days: 0, ms: end.at - start.at }
  const length = duration.days * DAY_MS + duration.ms
  return length >= 0 && length <= MAX_DURATION_MS ? duration : null
}

/** A period `start/end` or `start/duration`; null when it cannot be read. */
export function readPeriod(text: string, line: ContentLine, context: ValueContext): CalendarPeriod | null {
  const [startText = '', endText = ''] = text.split('/')
  const start = readCalendarTime(startText, line, context)
  if (!start) return null
  const end = readCalendarTime(endText, line, { ...context, floating: start.zone })
  const duration = end ? durationBetween(start, end) : readDuration(endText)
  return duration && { start, duration }
}

/** The instant at which a duration after a local time ends. */
export function endOf(wall: number, zone: Zone, { days, ms }: Duration): number {
  return zone.toInstant(wall + days * DAY_MS) + ms
}
