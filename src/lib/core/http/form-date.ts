import { type DateKind, parseDateInput } from '../shared/text/date-input.ts'
import { findClockAmbiguity, instantOf, isTimeZone, localDay } from '../shared/time-zone.ts'
import { Refusal } from './refusal.ts'

/**
 * The day of a form's date field, `2026-11-22`; null for an empty one. Without JavaScript a form posts the typed text,
 * in the format of its language.
 * @param zone the zone that determines the current day
 * @throws Refusal invalid, with the field, for text that is no date
 */
export const readDay = (form: FormData | URLSearchParams, name: string, zone: string): string | null =>
  readValue('date', form, name, zone)

/** The time of a form's time field, `19:00`; null for an empty one. Refuses with invalid for text that is no time. */
export const readTime = (form: FormData | URLSearchParams, name: string): string | null =>
  readValue('time', form, name, 'UTC')

/** The local day and time of a form's field, `2026-11-22T19:00`; null for an empty one. Refuses with invalid other text. */
const readDayTime = (form: FormData | URLSearchParams, name: string, zone: string): string | null =>
  readValue('datetime', form, name, zone)

/**
 * The instant of a form's date and time in a zone, in ISO 8601; null for an empty field.
 * @throws Refusal invalid, with the field, for text that is no date and time, and for a time that the clocks skip
 */
export function readInstant(form: FormData | URLSearchParams, name: string, zone: string): string | null {
  const [day, time] = readDayTime(form, name, zone)?.split('T') ?? []
  if (!day || !time) return null
  if (!isTimeZone(zone)) throw new Refusal('invalid', { fields: { timeZone: ['unknown_time_zone'] } })
  if (findClockAmbiguity(day, time, zone) === 'skipped') throw dateRefusal(name, 'time_skipped')
  return instantOf(day, time, zone).toISOString()
}

/**
 * Returns the fields with the values of the given date fields in ISO 8601. Text that is no date is returned unchanged,
 * for the schema to refuse.
 */
export function withIsoDays(
  fields: Readonly<Record<string, string>>,
  names: readonly string[],
  zone: string,
): Record<string, string> {
  const today = localDay(new Date(), zone)
  const toIso = ([name, text]: [string, string]) =>
    [name, names.includes(name) ? (parseDateInput('date', text, today) ?? text) : text] as const
  return Object.fromEntries(Object.entries(fields).map(toIso))
}

function readValue(kind: DateKind, form: FormData | URLSearchParams, name: string, zone: string): string | null {
  const typed = String(form.get(name) ?? '').trim()
  if (typed === '') return null
  const value = parseDateInput(kind, typed, localDay(new Date(), isTimeZone(zone) ? zone : 'UTC'))
  if (!value) throw dateRefusal(name, FORMAT_ERRORS[kind])
  return value
}

const FORMAT_ERRORS: Record<DateKind, string> = {
  date: 'date_format',
  time: 'time_format',
  datetime: 'datetime_format',
}

const dateRefusal = (name: string, code: string) => new Refusal('invalid', { fields: { [name]: [code] } })
