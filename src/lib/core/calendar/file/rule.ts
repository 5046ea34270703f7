import { RRuleTemporal } from 'rrule-temporal'
import { Temporal } from 'temporal-polyfill'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../shared/time.ts'
import { type CalendarTime, readCalendarTime, type ValueContext } from './values.ts'

/** A recurrence rule (RFC 5545, 3.3.10) that was checked. */
export interface Rule {
  /** Without UNTIL and unknown parts. */
  parts: Map<string, string>
  until: CalendarTime | null
}

/** A period of local times in milliseconds, as if they were UTC. */
export interface WallPeriod {
  from: number
  to: number
}

/** Maximum number of occurrences of a rule in the period, and of those that are counted for COUNT. */
const MAX_OCCURRENCES = 20_000
/** Occurrences of frequent rules are computed in pieces: the library limits the steps of one query. */
const PIECE = 5000

/** The rule of a text; null when it is not valid. */
export function readRule(text: string, context: ValueContext): Rule | null {
  const parts = new Map<string, string>()
  let until: CalendarTime | null = null
  for (const part of text.trim().split(';')) {
    const [name = '', value = ''] = part.split('=').map((side) => side.trim().toUpperCase())
    if (name === 'UNTIL') {
      until = readCalendarTime(value, { name, params: new Map(), value }, context)
      if (!until) return null
    } else if (name in PARTS && !(name === 'COUNT' && value === '-1')) {
      // -1 is written for an endless rule.
      if (!PARTS[name]?.(value)) return null
      parts.set(name, value)
    }
  }
  return parts.has('FREQ') ? { parts, until } : null
}

/**
 * The local times at which a rule with a start repeats in a period, ascending. The computation begins at the period, not
 * at the start of the rule, except for rules with COUNT.
 */
export function expandRule({ parts, until }: Rule, start: CalendarTime, period: WallPeriod): number[] {
  const to = Math.min(period.to, until ? latestWall(until) : period.to)
  const from = Math.max(period.from, start.wall)
  if (from > to) return []
  const rule = new RRuleTemporal({
    rruleString: [...withoutFarCount(parts, start.wall, to)].map(([name, value]) => `${name}=${value}`).join(';'),
    dtstart: Temporal.Instant.fromEpochMilliseconds(start.wall).toZonedDateTimeISO('UTC'),
    maxIterations: MAX_OCCURRENCES,
    temporal: Temporal,
    cache: false,
  })
  const walls: number[] = []
  const step = pieceLength(parts)
  for (let pieceFrom = from; pieceFrom <= to && walls.length < MAX_OCCURRENCES; pieceFrom += step) {
    const pieceTo = Math.min(to, pieceFrom + step - 1)
    for (const { epochMilliseconds } of rule.between(new Date(pieceFrom), new Date(pieceTo), true)) {
      if (!until || isUntil(epochMilliseconds, start, until)) walls.push(epochMilliseconds)
    }
  }
  return walls
}

/** The last local time that may be an occurrence: UNTIL can be in another zone. */
const latestWall = (until: CalendarTime): number => until.wall + (until.isDate ? DAY_MS - 1 : DAY_MS)

/** Whether an occurrence is not after UNTIL, which may be a date, a local time or an instant. */
function isUntil(wall: number, start: CalendarTime, until: CalendarTime): boolean {
  if (until.isDate) return wall < until.wall + DAY_MS
  // Midnight means the day, not an instant, in rules of whole days.
  if (start.isDate && until.wall % DAY_MS === 0) return wall <= until.wall
  return start.zone.toInstant(wall) <= until.at
}

const UNITS: Record<string, number> = {
  SECONDLY: 1000,
  MINUTELY: MINUTE_MS,
  HOURLY: HOUR_MS,
  DAILY: DAY_MS,
  WEEKLY: 7 * DAY_MS,
  MONTHLY: 28 * DAY_MS,
  YEARLY: 365 * DAY_MS,
}

const pieceLength = (parts: ReadonlyMap<string, string>): number =>
  PIECE * (UNITS[parts.get('FREQ') ?? ''] ?? DAY_MS) * Math.min(Number(parts.get('INTERVAL') ?? 1), 1000)

/**
 * Without COUNT when the last occurrence is certainly after `to`: then the occurrences since the start need not be
 * counted.
 */
function withoutFarCount(parts: Map<string, string>, startWall: number, to: number): Map<string, string> {
  const count = Number(parts.get('COUNT') ?? 0)
  if (count === 0) return parts
  const perPeriod = [...parts]
    .filter(([name]) => name.startsWith('BY') && name !== 'BYSETPOS')
    .reduce((product, [name, value]) => product * value.split(',').length * (DAYS_PER_VALUE[name] ?? 1), 1)
  const length = Math.floor((count - 1) / perPeriod) * (UNITS[parts.get('FREQ') ?? ''] ?? 0)
  if (startWall + length * Number(parts.get('INTERVAL') ?? 1) <= to) return parts
  return new Map([...parts].filter(([name]) => name !== 'COUNT'))
}

/** How many days of a year one value means at most. */
const DAYS_PER_VALUE: Record<string, number> = { BYDAY: 53, BYMONTH: 31, BYWEEKNO: 7, BYMONTHDAY: 12 }

const isBetween = (low: number, high: number) => (value: string) =>
  /^\d{1,9}$/.test(value) && Number(value) >= low && Number(value) <= high
const areBetween = (low: number, high: number) => (value: string) => value.split(',').every(isBetween(low, high))
/** From the end with a minus. */
const areOrdinals = (high: number) => (value: string) =>
  value.split(',').every((ordinal) => isBetween(1, high)(ordinal.replace(/^[+-]/, '')))
const DAY_NAMES = /^(?:[+-]?\d{1,2})?(?:MO|TU|WE|TH|FR|SA|SU)$/

/** The known parts of rules with the check of their values. */
const PARTS: Record<string, (value: string) => boolean> = {
  FREQ: (value) => value in UNITS,
  INTERVAL: isBetween(1, 999_999_999),
  COUNT: isBetween(1, 999_999_999),
  BYSECOND: areBetween(0, 60),
  BYMINUTE: areBetween(0, 59),
  BYHOUR: areBetween(0, 23),
  BYDAY: (value) => value.split(',').every((day) => DAY_NAMES.test(day)),
  BYMONTHDAY: areOrdinals(31),
  BYYEARDAY: areOrdinals(366),
  BYWEEKNO: areOrdinals(53),
  BYMONTH: areBetween(1, 12),
  BYSETPOS: areOrdinals(366),
  WKST: (value) => /^(?:MO|TU|WE|TH|FR|SA|SU)$/.test(value),
}
