import { wallOf } from '../shared/zone.ts'

const DAY = 86_400_000
const YEAR = 366 * DAY
const MINUTE = 60_000

/**
 * The VTIMEZONE (RFC 5545, 3.6.5) of an IANA zone for a time around `at`: the offset before and every change of the
 * clocks from a year before to two years after, each written out, as the runtime's own tables know them.
 */
export function vtimezone(zone: string, at: Date): string {
  const begin = Math.floor((at.getTime() - YEAR) / DAY) * DAY
  const end = begin + 3 * YEAR
  const first = offset(begin, zone)
  const changes = [{ at: begin, from: first, to: first }, ...changesOf(zone, begin, end)]
  const usual = Math.min(...changes.map(({ to }) => to))
  const observances = changes.flatMap(({ at: change, from, to }) => {
    const name = to === usual ? 'STANDARD' : 'DAYLIGHT'
    return [
      `BEGIN:${name}`,
      `DTSTART:${stamp(change + from)}`,
      `TZOFFSETFROM:${signed(from)}`,
      `TZOFFSETTO:${signed(to)}`,
      `END:${name}`,
    ]
  })
  return ['BEGIN:VTIMEZONE', `TZID:${zone}`, ...observances, 'END:VTIMEZONE'].join('\r\n')
}

interface Change {
  at: number
  from: number
  to: number
}

function changesOf(zone: string, begin: number, end: number): Change[] {
  const found: Change[] = []
  for (let day = begin; day < end; day += DAY) {
    const [from, to] = [offset(day, zone), offset(day + DAY, zone)]
    if (from !== to) found.push({ at: momentOf(zone, day, day + DAY, from), from, to })
  }
  return found
}

// To the minute: clocks change on whole minutes everywhere.
function momentOf(zone: string, before: number, after: number, from: number): number {
  let [low, high] = [before / MINUTE, after / MINUTE]
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (offset(middle * MINUTE, zone) === from) low = middle
    else high = middle
  }
  return high * MINUTE
}

const offset = (at: number, zone: string): number => wallOf(new Date(at), zone) - at

/** A wall clock in milliseconds to `20260329T030000`. */
export const stamp = (wall: number): string => new Date(wall).toISOString().replaceAll(/[-:]|\.\d{3}Z$/g, '')

function signed(ms: number): string {
  const minutes = Math.round(Math.abs(ms) / MINUTE)
  const two = (value: number) => String(value).padStart(2, '0')
  return `${ms < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}${two(minutes % 60)}`
}
