import type { Locale } from '../locale.ts'
import { DAY_MS } from '../time.ts'

/** The kind of value of a date field: a day, a time, or both. */
export type DateKind = 'date' | 'time' | 'datetime'

/** Prefixes of the names of the months in both languages; the Ukrainian ones match all grammatical cases. */
const MONTHS = [
  /^(?:січ|jan)/,
  /^(?:лют|feb)/,
  /^(?:бер|mar)/,
  /^(?:кві|apr)/,
  /^(?:тра|may)/,
  /^(?:чер|jun)/,
  /^(?:лип|jul)/,
  /^(?:серп|aug)/,
  /^(?:вер|sep)/,
  /^(?:жов|oct)/,
  /^(?:лис|nov)/,
  /^(?:гру|dec)/,
] as const
const WEEKDAY = /^(?:пон|вів|сере|чет|п['’ʼ]?ят|суб|нед|пн|вт|ср|чт|пт|сб|нд|mon|tue|wed|thu|fri|sat|sun)/
const FILLER = /^(?:р|року|of|the)$/
const RELATIVE_DAYS: readonly (readonly [RegExp, number])[] = [
  [/^(?:вчора|учора|yesterday)$/, -1],
  [/^(?:сьогодні|today)$/, 0],
  [/^(?:завтра|tomorrow)$/, 1],
  [/^післязавтра$/, 2],
]

/**
 * Parses the typed text of a date field, in either language: «22.11.2026», «22 листопада», «неділя, 22 листопада 2026
 * р. о 19:00», «завтра», `2026-11-22T19:00`. Numbers are day, month, year; a date without a year is the next one.
 * @param today the current day of the person, `2026-11-22`
 * @returns `2026-11-22`, `19:00` or `2026-11-22T19:00`; null when it cannot be parsed or does not exist
 */
export function parseDateInput(kind: DateKind, typed: string, today: string): string | null {
  const text = typed.normalize('NFKC').trim().toLowerCase().slice(0, 80)
  if (kind === 'date') return parseDay(text, today)
  if (kind === 'time') return parseTime(text)
  const [, isoDay, isoTime] = /^(\d{4}-\d\d-\d\d)t(\d\d:\d\d)/.exec(text) ?? []
  const [dayText, timeText] = isoDay && isoTime ? [isoDay, isoTime] : splitTime(text)
  const day = parseDay(dayText, today)
  const time = parseTime(timeText)
  return day && time ? `${day}T${time}` : null
}

/** A value of a date field in the format of a language: «22.11.2026, 19:00», «22 Nov 2026, 19:00». */
export function formatDateInput(value: string, locale: Locale): string {
  const [day = '', time] = value.includes('T') ? value.split('T') : value.includes(':') ? ['', value] : [value]
  const clock = time?.slice(0, 5)
  if (day === '') return clock ?? ''
  const words = formatter(locale).format(new Date(`${day}T00:00:00Z`))
  return clock ? `${words}, ${clock}` : words
}

/** Whether a value has the form that `parseDateInput` returns. */
export function isDateValue(kind: DateKind, value: string): boolean {
  const [day = '', time = ''] = kind === 'time' ? ['', value] : value.split('T')
  const isDay =
    /^\d{4}-\d\d-\d\d$/.test(day) &&
    toDay(Number(day.slice(0, 4)), Number(day.slice(5, 7)), Number(day.slice(8))) === day
  const isTime = /^(?:[01]\d|2[0-3]):[0-5]\d$/.test(time)
  return kind === 'date' ? isDay && time === '' : isTime && (kind === 'time' || isDay)
}

/** Splits «22 листопада о 19:00» before its time, which has minutes or AM/PM. */
function splitTime(text: string): [day: string, time: string] {
  const words = text.split(/[\s,]+/).filter((word) => word !== '')
  const isHalf = words.at(-1) === 'am' || words.at(-1) === 'pm'
  const time = words.splice(isHalf ? -2 : -1).join(' ')
  const preposition = words.at(-1) ?? ''
  if (/^(?:о|об|at)$/.test(preposition)) words.pop()
  return /[:.]|[ap]m$/.test(time) ? [words.join(' '), time] : ['', '']
}

function parseDay(text: string, today: string): string | null {
  const relative = RELATIVE_DAYS.find(([pattern]) => pattern.test(text))?.[1]
  if (relative !== undefined) return new Date(Date.parse(today) + relative * DAY_MS).toISOString().slice(0, 10)
  const words = text.split(/[\s,./-]+/).filter((word) => word !== '' && !FILLER.test(word))
  const parts = words.filter((word) => monthOf(word) > 0 || !WEEKDAY.test(word))
  const months = parts.map(monthOf).filter((month) => month > 0)
  const numbers = parts.filter((word) => monthOf(word) === 0).map(writtenNumber)
  if (months.length > 1 || numbers.some(Number.isNaN)) return null
  const [named] = months
  const [first = Number.NaN, second, third] = numbers
  if (named !== undefined) return numbers.length > 2 ? null : withYear(second, named, first, today)
  if (numbers.length > 3 || second === undefined) return null
  return first > 31 ? toDay(first, second, third ?? Number.NaN) : withYear(third, second, first, today)
}

function withYear(year: number | undefined, month: number, day: number, today: string): string | null {
  if (year !== undefined) return toDay(year < 100 ? 2000 + year : year, month, day)
  const thisYear = Number(today.slice(0, 4))
  // The next 29 February may be up to eight years later.
  for (let candidate = thisYear; candidate <= thisYear + 8; candidate++) {
    const next = toDay(candidate, month, day)
    if (next && next >= today) return next
  }
  return null
}

function toDay(year: number, month: number, day: number): string | null {
  const at = new Date(Date.UTC(year, month - 1, day))
  const exists = at.getUTCFullYear() === year && at.getUTCMonth() === month - 1 && at.getUTCDate() === day
  return exists && year >= 1900 && year < 2200 ? at.toISOString().slice(0, 10) : null
}

function parseTime(text: string): string | null {
  const [, digits = '', minutes, half] = /^(\d{1,4})(?:[:. ](\d\d))?(?: ?(am|pm|год\.?|г\.?))?$/.exec(text) ?? []
  if (digits === '' || (minutes !== undefined && digits.length > 2)) return null
  const hourDigits = digits.length > 2 ? digits.slice(0, -2) : digits
  const typedHour = Number(hourDigits)
  const minute = Number(minutes ?? (digits.length > 2 ? digits.slice(-2) : 0))
  if ((half === 'am' || half === 'pm') && (typedHour < 1 || typedHour > 12)) return null
  const hour = half === 'pm' ? (typedHour % 12) + 12 : half === 'am' ? typedHour % 12 : typedHour
  if (hour > 23 || minute > 59) return null
  return `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`
}

/** The number of the month whose name starts with a word; 0 for other words. */
const monthOf = (word: string): number => MONTHS.findIndex((stem) => stem.test(word)) + 1

const writtenNumber = (word: string): number =>
  Number(/^(\d{1,4})(?:st|nd|rd|th|го|ого|є|е)?$/.exec(word)?.[1] ?? Number.NaN)

const FORMATTERS = new Map<Locale, Intl.DateTimeFormat>()

function formatter(locale: Locale): Intl.DateTimeFormat {
  const known = FORMATTERS.get(locale)
  if (known) return known
  const created =
    locale === 'uk'
      ? new Intl.DateTimeFormat('uk-UA', { day: '2-digit', month: '2-digit', year: 'numeric', timeZone: 'UTC' })
      : new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })
  FORMATTERS.set(locale, created)
  return created
}
