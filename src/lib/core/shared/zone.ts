const DAY = 86_400_000
const CLOCKS = new Map<string, Intl.DateTimeFormat>()

/** Whether the runtime knows this IANA zone. */
export function isZone(zone: string): boolean {
  // Browsers and Node still list some zones under their former names, and all of them take the present one too.
  ZONES ??= new Set([...Intl.supportedValuesOf('timeZone'), 'UTC', 'Europe/Kyiv'])
  return ZONES.has(zone)
}

let ZONES: ReadonlySet<string> | undefined

/** The calendar day (`2026-03-29`) on which an instant falls in an IANA zone, `plus` days later. */
export function localDay(at: Date, zone: string, plus = 0): string {
  const wall = new Date(wallClock(at.getTime(), zone))
  return new Date(Date.UTC(wall.getUTCFullYear(), wall.getUTCMonth(), wall.getUTCDate() + plus))
    .toISOString()
    .slice(0, 10)
}

/** What a clock there shows at an instant, `09:00`. */
export function localTime(at: Date, zone: string): string {
  return new Date(wallClock(at.getTime(), zone)).toISOString().slice(11, 16)
}

/**
 * The instant of a local day and time (`09:00`) in an IANA zone. As in ECMAScript's Temporal with "compatible"
 * disambiguation: of a time that comes twice the earlier one, a time that the clocks skip moves forward by the gap.
 */
export function instantOf(day: string, time: string, zone: string): Date {
  const wanted = Date.parse(`${day}T${time}:00Z`)
  const offsets = [wallClock(wanted - DAY, zone) - (wanted - DAY), wallClock(wanted + DAY, zone) - (wanted + DAY)]
  const candidates = offsets.map((offset) => wanted - offset)
  const real = candidates.filter((at) => wallClock(at, zone) === wanted)
  return new Date(real.length > 0 ? Math.min(...real) : Math.max(...candidates))
}

/** The same time of day some days later, whatever the clocks do in between. */
export function laterBy(at: Date, days: number, zone: string): Date {
  return instantOf(localDay(at, zone, days), localTime(at, zone), zone)
}

/** What a clock on the wall shows, written as if it were UTC, in milliseconds. */
function wallClock(at: number, zone: string): number {
  const parts = clockOf(zone).formatToParts(at)
  const part = (wanted: Intl.DateTimeFormatPartTypes) => Number(parts.find(({ type }) => type === wanted)?.value)
  const [year, month, day] = [part('year'), part('month'), part('day')]
  const [hour, minute, second] = [part('hour'), part('minute'), part('second')]
  return Date.UTC(year, month - 1, day, hour, minute, second)
}

function clockOf(zone: string): Intl.DateTimeFormat {
  const known = CLOCKS.get(zone)
  if (known) return known
  const shape = { hourCycle: 'h23', timeZone: zone } as const
  const numbers = { year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric' } as const
  const clock = new Intl.DateTimeFormat('en-US', { ...shape, ...numbers, second: 'numeric' })
  CLOCKS.set(zone, clock)
  return clock
}
