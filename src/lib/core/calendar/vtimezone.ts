import { DAY_MS, MINUTE_MS } from '../shared/time.ts'
import { wallTimeOf } from '../shared/time-zone.ts'

const YEAR_MS = 366 * DAY_MS

/**
 * The VTIMEZONE (RFC 5545, 3.6.5) of an IANA zone for a time around `at`: the offset before and every change of the
 * clocks from a year before to two years after, each written out, as the runtime's own tables know them.
 */
export function formatVtimezone(zone: string, at: Date): string {
  const firstDay = Math.floor((at.getTime() - YEAR_MS) / DAY_MS) * DAY_MS
  const end = firstDay + 3 * YEAR_MS
  const first = zoneOffset(firstDay, zone)
  const changes = [{ at: firstDay, from: first, to: first }, ...findOffsetChanges(zone, firstDay, end)]
  const usual = Math.min(...changes.map(({ to }) => to))
  const observances = changes.flatMap(({ at: change, from, to }) => {
    const name = to === usual ? 'STANDARD' : 'DAYLIGHT'
    return [
      `BEGIN:${name}`,
      `DTSTART:${formatWallTime(change + from)}`,
      `TZOFFSETFROM:${formatOffset(from)}`,
      `TZOFFSETTO:${formatOffset(to)}`,
      `END:${name}`,
    ]
  })
  return ['BEGIN:VTIMEZONE', `TZID:${zone}`, ...observances, 'END:VTIMEZONE'].join('\r\n')
}

interface OffsetChange {
  at: number
  from: number
  to: number
}

function findOffsetChanges(zone: string, firstDay: number, end: number): OffsetChange[] {
  const found: OffsetChange[] = []
  for (let day = firstDay; day < end; day += DAY_MS) {
    const [from, to] = [zoneOffset(day, zone), zoneOffset(day + DAY_MS, zone)]
    if (from !== to) found.push({ at: findChangeTime(zone, day, day + DAY_MS, from), from, to })
  }
  return found
}

// To the minute: clocks change on whole minutes everywhere.
function findChangeTime(zone: string, before: number, after: number, from: number): number {
  let [low, high] = [before / MINUTE_MS, after / MINUTE_MS]
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (zoneOffset(middle * MINUTE_MS, zone) === from) low = middle
    else high = middle
  }
  return high * MINUTE_MS
}

const zoneOffset = (at: number, zone: string): number => wallTimeOf(new Date(at), zone) - at

/** A wall clock in milliseconds to `20260329T030000`. */
const formatWallTime = (wall: number): string => new Date(wall).toISOString().replaceAll(/[-:]|\.\d{3}Z$/g, '')

function formatOffset(ms: number): string {
  const minutes = Math.round(Math.abs(ms) / MINUTE_MS)
  const two = (value: number) => String(value).padStart(2, '0')
  return `${ms < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}${two(minutes % 60)}`
}
