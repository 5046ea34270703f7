import { DAY_MS, MINUTE_MS } from './time.ts'

const FORMATTERS = new Map<string, Intl.DateTimeFormat>()
const OFFSETS = new Map<string, Map<number, number>>()

/** Whether the runtime supports this IANA zone. */
export function isTimeZone(zone: string): boolean {
  ZONES ??= new Set([...Intl.supportedValuesOf('timeZone'), 'UTC'])
  return ZONES.has(zone) || (NAME.test(zone) && isAccepted(zone))
}

const NAME = /^[A-Z]\w*(\/[A-Z][\w+-]*){1,2}$/

// Browsers and Node list some zones under former names only, but accept the current names too.
function isAccepted(zone: string): boolean {
  try {
    return Boolean(formatterOf(zone))
  } catch {
    return false
  }
}

let ZONES: ReadonlySet<string> | undefined

/** The names that the runtime lists, with the current spelling of Kyiv. Creating the list takes half a millisecond. */
export function timeZoneNames(): readonly string[] {
  NAMES ??= Intl.supportedValuesOf('timeZone').map((name) => (name === 'Europe/Kiev' ? 'Europe/Kyiv' : name))
  return NAMES
}

let NAMES: readonly string[] | undefined

/** The calendar day (`2026-03-29`) on which an instant falls in an IANA zone, `plusDays` later. */
export function localDay(at: Date, zone: string, plusDays = 0): string {
  return new Date((dayNumber(at, zone) + plusDays) * DAY_MS).toISOString().slice(0, 10)
}

/** The calendar day of an instant in a time zone, as days since 1970. */
export function dayNumber(at: Date, zone: string): number {
  return Math.floor(wallTimeOf(at, zone) / DAY_MS)
}

/** The local time of an instant, `09:00`. */
export function localTime(at: Date, zone: string): string {
  return new Date(wallTimeOf(at, zone)).toISOString().slice(11, 16)
}

/** The instant of a local day and time (`09:00`) in an IANA zone; see `instantOfWallTime` for ambiguous times. */
export function instantOf(day: string, time: string, zone: string): Date {
  return instantOfWallTime(Date.parse(`${day}T${time}:00Z`), zone)
}

/** The instant of a local day (days since 1970) and time (`09:00`). */
export function instantOfDay(day: number, time: string, zone: string): Date {
  return instantOfWallTime(day * DAY_MS + (Number(time.slice(0, 2)) * 60 + Number(time.slice(3))) * MINUTE_MS, zone)
}

/** The same local time some calendar days later or earlier, across changes of daylight saving time too. */
export function addDays(at: Date, days: number, zone: string): Date {
  return days === 0 ? at : instantOfWallTime(wallTimeOf(at, zone) + days * DAY_MS, zone)
}

/** An instant in ISO 8601 with the offset that a zone has then, whole seconds: `2026-10-25T19:00:00+02:00`. */
export function isoWithOffset(at: Date, zone: string): string {
  const wall = wallTimeOf(at, zone)
  const minutes = Math.round((wall - at.getTime()) / MINUTE_MS)
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0')
  const size = Math.abs(minutes)
  return `${new Date(wall).toISOString().slice(0, 19)}${minutes < 0 ? '-' : '+'}${two(size / 60)}:${two(size % 60)}`
}

/** The local time of an instant, as if it were UTC, in milliseconds. */
export function wallTimeOf(at: Date, zone: string): number {
  return at.getTime() + offsetAt(at.getTime(), zone)
}

/**
 * The instant of a local time in milliseconds. As in ECMAScript's Temporal with "compatible" disambiguation: the
 * earlier one of a time that occurs twice; a skipped time moves forward by the gap.
 */
export function instantOfWallTime(wall: number, zone: string): Date {
  const day = Math.floor(wall / DAY_MS)
  const before = offsetOfDay(day - 1, zone)
  const after = offsetOfDay(day + 2, zone)
  if (before === after) return new Date(wall - before)
  const candidates = [wall - before, wall - after]
  const real = candidates.filter((at) => at + offsetAt(at, zone) === wall)
  return new Date(real.length > 0 ? Math.min(...real) : Math.max(...candidates))
}

/** Whether a local time is skipped by a clock change, or occurs twice on that day. */
export function findClockAmbiguity(day: string, time: string, zone: string): 'skipped' | 'twice' | null {
  const wallMs = Date.parse(`${day}T${time}:00Z`)
  const instant = instantOfWallTime(wallMs, zone)
  if (localTime(instant, zone) !== time) return 'skipped'
  return CLOCK_CHANGE_MINUTES.some(
    (minutes) => wallTimeOf(new Date(instant.getTime() + minutes * MINUTE_MS), zone) === wallMs,
  )
    ? 'twice'
    : null
}

/** The later instant of a local time that occurs twice; otherwise the only one. */
export function laterInstantOf(day: string, time: string, zone: string): Date {
  const wallMs = Date.parse(`${day}T${time}:00Z`)
  const instant = instantOfWallTime(wallMs, zone)
  const later = CLOCK_CHANGE_MINUTES.map((minutes) => new Date(instant.getTime() + minutes * MINUTE_MS))
  return later.find((candidate) => wallTimeOf(candidate, zone) === wallMs) ?? instant
}

// Clock changes that occur in the world, in minutes.
const CLOCK_CHANGE_MINUTES = [30, 60, 120]

// A zone changes its clocks at most once in this interval, so equal offsets at both ends apply to all of it.
function offsetAt(at: number, zone: string): number {
  const day = Math.floor(at / DAY_MS)
  const offset = offsetOfDay(day, zone)
  return offset === offsetOfDay(day + 1, zone) ? offset : readOffset(at, zone)
}

/** The offset at midnight UTC of a day. Formatting takes a thousand times as long as the cache. */
function offsetOfDay(day: number, zone: string): number {
  const days = OFFSETS.get(zone) ?? new Map<number, number>()
  OFFSETS.set(zone, days)
  const known = days.get(day)
  if (known !== undefined) return known
  const read = readOffset(day * DAY_MS, zone)
  if (days.size > 10_000) days.clear()
  days.set(day, read)
  return read
}

function readOffset(at: number, zone: string): number {
  const parts = formatterOf(zone).formatToParts(at)
  const part = (searchedType: Intl.DateTimeFormatPartTypes) =>
    Number(parts.find(({ type }) => type === searchedType)?.value)
  const [year, month, day] = [part('year'), part('month'), part('day')]
  const [hour, minute, second] = [part('hour'), part('minute'), part('second')]
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(at / 1000) * 1000
}

function formatterOf(zone: string): Intl.DateTimeFormat {
  const known = FORMATTERS.get(zone)
  if (known) return known
  const shape = { hourCycle: 'h23', timeZone: zone } as const
  const numbers = { year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric' } as const
  const clock = new Intl.DateTimeFormat('en-US', { ...shape, ...numbers, second: 'numeric' })
  FORMATTERS.set(zone, clock)
  return clock
}
