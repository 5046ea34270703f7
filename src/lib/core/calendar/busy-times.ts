import { Refusal } from '../http/refusal.ts'
import { type CalendarComponent, readCalendars } from './file/content-lines.ts'
import { type CalendarEvent, readCalendarEvent, readFreeBusy } from './file/event.ts'
import { type BusyTime, expandSeries } from './file/series.ts'
import { endOf, type ValueContext } from './file/values.ts'
import { databaseZone, ZoneFinder } from './file/zones.ts'

interface BusyTimesInput {
  text: string
  /** The period in milliseconds since 1970. */
  from: number
  to: number
  /** Zone of times without one in calendars without one, and of whole days. */
  zone: string
}

interface CalendarReading {
  /** Pairs of milliseconds since 1970, sorted and joined. */
  times: BusyTime[]
  /** Events and properties that could not be read. */
  skipped: number
}

/** Maximum number of times in the result. */
const MAX_TIMES = 2000
/** Series that are not expanded after this time are skipped: the process ends after the limit of its task. */
const MAX_EXPANSION_MS = 5000

/**
 * The times in which the events of a calendar file (RFC 5545) take place, and its busy periods (VFREEBUSY); with
 * recurrence rules, exceptions and moved occurrences. Events that do not block time and canceled ones are omitted. What
 * cannot be read is skipped and counted, and the rest of the file is used. For a worker process: the file comes from
 * elsewhere. Refuses with unprocessable (not a calendar).
 */
export function readForeignCalendar({ text, from, to, zone }: BusyTimesInput): CalendarReading {
  const calendars = readCalendars(text)
  if (calendars.length === 0) throw new Refusal('unprocessable', { fields: { address: ['calendar_format'] } })
  const days = databaseZone(zone)
  const zones = new ZoneFinder(calendars.flatMap((calendar) => childrenOf(calendar, 'VTIMEZONE')))
  const found: BusyTime[] = []
  const events: CalendarEvent[] = []
  let skipped = 0
  for (const calendar of calendars) {
    const context: ValueContext = { zones, days, floating: zones.find(textOf(calendar, 'X-WR-TIMEZONE')) ?? days }
    for (const component of childrenOf(calendar, 'VEVENT')) {
      const read = readCalendarEvent(component, context)
      if (read.event) events.push(read.event)
      skipped += read.skipped
    }
    for (const component of childrenOf(calendar, 'VFREEBUSY')) {
      const read = readFreeBusy(component, context)
      for (const { start, duration } of read.periods) found.push([start.at, endOf(start.wall, start.zone, duration)])
      skipped += read.skipped
    }
  }
  const deadline = performance.now() + MAX_EXPANSION_MS
  for (const series of groupSeries(events)) {
    try {
      if (performance.now() > deadline) skipped += 1
      else found.push(...expandSeries(series, { from, to, dayWallOf: days.toWall }))
    } catch {
      // A rule that the library refuses, or one with too many steps.
      skipped += 1
    }
  }
  const times = found.filter(([start, end]) => end > start && end > from && start < to)
  return { times: joinTimes(times).slice(0, MAX_TIMES), skipped }
}

/** The times of `readForeignCalendar`. */
export const readBusyTimes = (input: BusyTimesInput): BusyTime[] => readForeignCalendar(input).times

const childrenOf = ({ children }: CalendarComponent, name: string): CalendarComponent[] =>
  children.filter((child) => child.name === name)

const textOf = ({ lines }: CalendarComponent, name: string): string =>
  lines.find((line) => line.name === name)?.value ?? ''

/** Events with the same UID, single events first: series take the most time. */
function groupSeries(events: readonly CalendarEvent[]): CalendarEvent[][] {
  const groups = [...Map.groupBy(events, (event) => event.uid || event).values()]
  const repeats = (series: readonly CalendarEvent[]) => series.some(({ rules }) => rules.length > 0)
  return [...groups.filter((series) => !repeats(series)), ...groups.filter(repeats)]
}

function joinTimes(times: readonly BusyTime[]): BusyTime[] {
  const joined: BusyTime[] = []
  for (const [from, to] of times.toSorted((a, b) => a[0] - b[0])) {
    const last = joined.at(-1)
    if (last && from <= last[1]) last[1] = Math.max(last[1], to)
    else joined.push([from, to])
  }
  return joined
}
