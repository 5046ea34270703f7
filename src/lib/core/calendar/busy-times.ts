import ICAL from 'ical.js'
import { Refusal } from '../http/refusal.ts'
import { DAY_MS } from '../shared/time.ts'
import { instantOfWallTime, isTimeZone } from '../shared/time-zone.ts'

interface BusyTimesInput {
  text: string
  /** The period in milliseconds since 1970. */
  from: number
  to: number
  /** Zone of times without one, and of whole days. */
  zone: string
}

/** Maximum number of times in the result, and of occurrences that are computed for it. */
const MAX_TIMES = 2000
const MAX_OCCURRENCES = 20_000

/**
 * The times in which the events of a calendar file (RFC 5545) take place, as pairs of milliseconds since 1970, sorted
 * and joined; with recurrence rules, exceptions and moved occurrences. Events that do not block time and canceled ones
 * are omitted. For a worker process: the file comes from elsewhere. Refuses with unprocessable (not a calendar).
 */
export function readBusyTimes(input: BusyTimesInput): [number, number][] {
  const calendar = parseCalendar(input.text)
  const reader: Reader = { ...input, left: MAX_OCCURRENCES, times: [] }
  const components = calendar.getAllSubcomponents('vevent')
  const exceptions = components.filter((component) => component.hasProperty('recurrence-id'))
  for (const component of components) {
    if (exceptions.includes(component)) continue
    const event = new ICAL.Event(component)
    if (!event.uid || !component.hasProperty('dtstart')) continue
    for (const exception of exceptions) {
      if (exception.getFirstPropertyValue('uid') === event.uid) event.relateException(exception)
    }
    if (reader.left <= 0) break
    addEvent(reader, event)
  }
  return joinTimes(reader.times).slice(0, MAX_TIMES)
}

interface Reader extends BusyTimesInput {
  /** Occurrences that may still be computed. */
  left: number
  times: [number, number][]
}

function parseCalendar(text: string): ICAL.Component {
  try {
    const calendar = ICAL.Component.fromString(text)
    if (calendar.name === 'vcalendar') return calendar
  } catch {
    // The same as any other text.
  }
  throw new Refusal('unprocessable', { fields: { address: ['calendar_format'] } })
}

function addEvent(reader: Reader, event: ICAL.Event): void {
  if (!event.isRecurring()) {
    addOccurrence(reader, event, event.startDate, event.endDate)
    return
  }
  const occurrences = event.iterator()
  for (let start = occurrences.next(); start; start = occurrences.next()) {
    reader.left -= 1
    // Moved occurrences may be earlier than the rule says; a day is enough for the others.
    if (reader.left <= 0 || toInstant(reader, start, zoneNameOf(event)) > reader.to + DAY_MS) return
    const { item, startDate, endDate } = event.getOccurrenceDetails(start)
    addOccurrence(reader, item, startDate, endDate)
  }
}

function addOccurrence(reader: Reader, event: ICAL.Event, start: ICAL.Time, end: ICAL.Time): void {
  if (!blocksTime(event.component)) return
  const zoneName = zoneNameOf(event)
  const from = toInstant(reader, start, zoneName)
  const to = toInstant(reader, end, zoneName)
  if (to > from && to > reader.from && from < reader.to) reader.times.push([from, to])
}

const zoneNameOf = ({ component }: ICAL.Event): string =>
  String(component.getFirstProperty('dtstart')?.getFirstParameter('tzid') ?? '')

function blocksTime(component: ICAL.Component): boolean {
  const textOf = (name: string) => String(component.getFirstPropertyValue(name) ?? '').toUpperCase()
  if (textOf('status') === 'CANCELLED' || textOf('transp') === 'TRANSPARENT') return false
  return textOf('x-microsoft-cdo-busystatus') !== 'FREE'
}

/** @param zoneName the zone of the event, for times whose zone is not defined in the file */
function toInstant({ zone }: Reader, time: ICAL.Time, zoneName: string): number {
  if (time.zone === ICAL.Timezone.utcTimezone) return time.toJSDate().getTime()
  const wall = Date.UTC(time.year, time.month - 1, time.day, time.hour, time.minute, time.second)
  if (time.isDate) return instantOfWallTime(wall, zone).getTime()
  const isFloating = time.zone === ICAL.Timezone.localTimezone
  const name = isFloating ? zoneName : time.zone.tzid
  // The zone database is preferred to the definition in the file, which may be old.
  if (isTimeZone(name)) return instantOfWallTime(wall, name).getTime()
  return isFloating ? instantOfWallTime(wall, zone).getTime() : time.toUnixTime() * 1000
}

function joinTimes(times: readonly [number, number][]): [number, number][] {
  const joined: [number, number][] = []
  for (const [from, to] of times.toSorted((a, b) => a[0] - b[0])) {
    const last = joined.at(-1)
    if (last && from <= last[1]) last[1] = Math.max(last[1], to)
    else joined.push([from, to])
  }
  return joined
}
