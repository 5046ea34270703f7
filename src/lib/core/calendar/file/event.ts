import type { CalendarComponent, ContentLine } from './content-lines.ts'
import { type Rule, readRule } from './rule.ts'
import {
  type CalendarPeriod,
  type CalendarTime,
  type Duration,
  durationBetween,
  readCalendarTime,
  readDuration,
  readPeriod,
  readTimes,
  type ValueContext,
} from './values.ts'

/** What an event (VEVENT) says about time. */
export interface CalendarEvent {
  /** Empty without one. */
  uid: string
  sequence: number
  start: CalendarTime
  duration: Duration
  /** The occurrence of a series that this event replaces. */
  replaces: CalendarTime | null
  /** Also all later occurrences. */
  replacesLater: boolean
  rules: Rule[]
  excludedRules: Rule[]
  /** Additional occurrences; null: with the duration of the event. */
  additions: { start: CalendarTime; duration: Duration | null }[]
  exclusions: CalendarTime[]
  isBlocking: boolean
}

export interface ReadEvent {
  /** Null when the event cannot be used. */
  event: CalendarEvent | null
  /** Values that could not be read: those of the event if it is null, otherwise the values of some of its properties. */
  skipped: number
}

/** Reads an event. A property that cannot be read is skipped; without a start there is no event. */
export function readCalendarEvent(component: CalendarComponent, context: ValueContext): ReadEvent {
  const unusable: ReadEvent = { event: null, skipped: 1 }
  const line = (name: string) => component.lines.find((candidate) => candidate.name === name)
  const startLine = line('DTSTART')
  const start = startLine && readCalendarTime(startLine.value, startLine, context)
  if (!start) return unusable
  // Local times without a zone are in that of the start.
  const local: ValueContext = start.isDate ? context : { ...context, floating: start.zone }
  const duration = readLength(start, line('DTEND'), line('DURATION'), local)
  const replacesLine = line('RECURRENCE-ID')
  const replaces = replacesLine ? readCalendarTime(replacesLine.value, replacesLine, local) : null
  if (replacesLine && !replaces) return unusable
  const skipped = { count: duration ? 0 : 1 }
  const all = (name: string) => component.lines.filter((candidate) => candidate.name === name)
  const known = <T>(values: readonly (T | null)[]): T[] => {
    const read = values.filter((value) => value !== null)
    skipped.count += values.length - read.length
    return read
  }
  const event: CalendarEvent = {
    uid: line('UID')?.value.trim() ?? '',
    sequence: Number.parseInt(line('SEQUENCE')?.value ?? '', 10) || 0,
    start,
    duration: duration ?? defaultLength(start),
    replaces,
    replacesLater: replacesLine?.params.get('RANGE')?.toUpperCase() === 'THISANDFUTURE',
    rules: known(all('RRULE').map(({ value }) => readRule(value, local))),
    excludedRules: known(all('EXRULE').map(({ value }) => readRule(value, local))),
    additions: known(all('RDATE').flatMap((addition) => readAdditions(addition, local))),
    exclusions: known(all('EXDATE').flatMap((exclusion) => readTimes(exclusion, local))),
    isBlocking: blocksTime(component),
  }
  return { event, skipped: skipped.count }
}

/** Busy periods of a VFREEBUSY. */
export function readFreeBusy(
  { lines }: CalendarComponent,
  context: ValueContext,
): { periods: CalendarPeriod[]; skipped: number } {
  const busy = lines.filter(({ name, params }) => name === 'FREEBUSY' && params.get('FBTYPE')?.toUpperCase() !== 'FREE')
  const read = busy.flatMap((line) => line.value.split(',').map((text) => readPeriod(text, line, context)))
  const periods = read.filter((period) => period !== null)
  return { periods, skipped: read.length - periods.length }
}

/** Null when the end or the duration cannot be read, and when the end is before the start. */
function readLength(
  start: CalendarTime,
  endLine: ContentLine | undefined,
  durationLine: ContentLine | undefined,
  context: ValueContext,
): Duration | null {
  if (endLine) {
    const end = readCalendarTime(endLine.value, endLine, context)
    if (!end) return null
    // Some programs end a whole day on the day itself.
    return start.isDate && end.isDate && end.wall === start.wall ? ONE_DAY : durationBetween(start, end)
  }
  if (durationLine) return readDuration(durationLine.value)
  return defaultLength(start)
}

/** Of an event without an end: the whole day, or no time. */
const defaultLength = ({ isDate }: CalendarTime): Duration => (isDate ? ONE_DAY : { days: 0, ms: 0 })

const ONE_DAY: Duration = { days: 1, ms: 0 }

function readAdditions(line: ContentLine, context: ValueContext): (CalendarEvent['additions'][number] | null)[] {
  return line.value.split(',').map((text) => {
    if (text.includes('/')) return readPeriod(text, line, context)
    const start = readCalendarTime(text, line, context)
    return start && { start, duration: null }
  })
}

function blocksTime({ lines }: CalendarComponent): boolean {
  const textOf = (name: string) =>
    lines
      .find((line) => line.name === name)
      ?.value.trim()
      .toUpperCase() ?? ''
  if (/^CANCELL?ED$/.test(textOf('STATUS')) || textOf('TRANSP') === 'TRANSPARENT') return false
  return !['FREE', 'WORKINGELSEWHERE'].includes(textOf('X-MICROSOFT-CDO-BUSYSTATUS'))
}
