import { DAY_MS } from './time.ts'

export const LOCALES = ['uk', 'en'] as const
export type Locale = (typeof LOCALES)[number]
export const DEFAULT_LOCALE: Locale = 'uk'
export const FALLBACK_LOCALE: Locale = 'en'

const TAGS: Record<Locale, string> = { uk: 'uk-UA', en: 'en-GB' }

/** The BCP 47 tag for `Intl`: with `en` alone, dates would have the American order. */
export const localeTag = (locale: Locale): string => TAGS[locale]

export function isLocale(value: unknown): value is Locale {
  return LOCALES.includes(value as Locale)
}

/** «неділя, 25 жовтня 2026 р.» in the given IANA zone. */
export function formatDate(at: Date | string, zone: string, locale: Locale): string {
  return dateFormat(TAGS[locale], { dateStyle: 'long', timeZone: zone }).format(new Date(at))
}

/** The same, shorter, next to dates with a time: «25 жовт. 2026 р.». */
export function formatShortDate(at: Date | string, zone: string, locale: Locale): string {
  return dateFormat(TAGS[locale], { dateStyle: 'medium', timeZone: zone }).format(new Date(at))
}

/** Day, month and time in the given IANA zone: «25 жовт. 2026 р., 19:00». */
export function formatDateTime(at: Date | string, zone: string, locale: Locale): string {
  const shape = { dateStyle: 'medium', timeStyle: 'short', timeZone: zone } as const
  return dateFormat(TAGS[locale], shape).format(new Date(at))
}

/** Weekday, date and time: «неділя, 25 жовтня 2026 р. о 19:00», in the given IANA zone. */
export function formatFullDateTime(at: Date | string, zone: string, locale: Locale): string {
  const shape = { dateStyle: 'full', timeStyle: 'short', timeZone: zone } as const
  return dateFormat(TAGS[locale], shape).format(new Date(at))
}

/** The localized name of a time zone, as it follows a time: «за непальським часом». See formatZoneName for that of Kyiv. */
export function formatZone(at: Date | string, zone: string, locale: Locale): string {
  const shape = { timeZone: zone, hour: '2-digit', timeZoneName: 'longGeneric' } as const
  const parts = dateFormat(TAGS[locale], shape).formatToParts(new Date(at))
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? zone
}

/** A time of the clock: «19:00». */
export function formatTime(at: Date | string, zone: string, locale: Locale): string {
  return dateFormat(TAGS[locale], { timeStyle: 'short', timeZone: zone }).format(new Date(at))
}

/**
 * A recent instant in the given IANA zone, as short as possible: «учора, 19:00», «25 жовт., 19:00», with the year when
 * it differs.
 */
export function formatRelativeDateTime(at: Date | string, zone: string, locale: Locale, now = new Date()): string {
  const date = new Date(at)
  const time = dateFormat(TAGS[locale], { timeStyle: 'short', timeZone: zone }).format(date)
  const days = zonedDayNumber(date, zone) - zonedDayNumber(now, zone)
  if (days === 0 || days === -1) {
    return `${relativeFormat(TAGS[locale]).format(days, 'day')}, ${time}`
  }
  const year = (day: Date) => dateFormat('en', { year: 'numeric', timeZone: zone }).format(day)
  if (year(date) !== year(now)) return formatDateTime(date, zone, locale)
  const shape = { day: 'numeric', month: 'short', timeZone: zone } as const
  return `${dateFormat(TAGS[locale], shape).format(date)}, ${time}`
}

export function formatNumber(value: number, locale: Locale): string {
  return numberFormat(TAGS[locale], {}).format(value)
}

/** Minor units to «1 200,50 ₴»; whole amounts have no decimals. */
export function formatMoney(minorUnits: number, currency: string, locale: Locale): string {
  const digits = minorUnits % 100 === 0 ? 0 : 2
  const shape = { style: 'currency', currency, currencyDisplay: 'narrowSymbol' } as const
  const format = numberFormat(TAGS[locale], { ...shape, minimumFractionDigits: digits, maximumFractionDigits: digits })
  return format.format(minorUnits / 100)
}

/** Bytes to «19,9 ГБ», counted in steps of 1024. */
export function formatBytes(bytes: number, locale: Locale): string {
  const step = Math.min(Math.floor(Math.log2(Math.max(bytes, 1)) / 10), UNITS.length - 1)
  const unit = UNITS[step] ?? 'byte'
  const shape = { style: 'unit', unit, maximumFractionDigits: step < 2 ? 0 : 1 } as const
  const format = numberFormat(TAGS[locale], { ...shape, unitDisplay: step === 0 ? 'long' : 'short' })
  return format.format(bytes / 1024 ** step)
}

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const

/** Seconds to «40 с» or, from a minute on, «24 хв». */
export function formatDuration(seconds: number, locale: Locale): string {
  const [value, unit] = seconds < 60 ? [seconds, 'second'] : [Math.round(seconds / 60), 'minute']
  return numberFormat(TAGS[locale], { style: 'unit', unit, unitDisplay: 'short' }).format(value)
}

/** A number with a unit: «5 год», or in the long form «3 дні». */
export function formatUnit(value: number, unit: string, locale: Locale, unitDisplay: 'short' | 'long'): string {
  return numberFormat(TAGS[locale], { style: 'unit', unit, unitDisplay }).format(value)
}

/** A share of 0 to 1 as a percentage in the format of the language: «45 %». */
export function formatPercent(share: number, locale: Locale): string {
  return numberFormat(TAGS[locale], { style: 'percent' }).format(share)
}

/** The calendar day in a time zone, as days since 1970. */
function zonedDayNumber(at: Date, zone: string): number {
  return Date.parse(dateFormat('en-CA', { timeZone: zone }).format(at)) / DAY_MS
}

// Creating a formatter takes fifty times as long as formatting, and uses memory outside the heap. There are a few hundred zones.
const DATE_FORMATS = new Map<string, Intl.DateTimeFormat>()
const NUMBER_FORMATS = new Map<string, Intl.NumberFormat>()
const RELATIVE_FORMATS = new Map<string, Intl.RelativeTimeFormat>()

function dateFormat(tag: string, shape: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${tag} ${JSON.stringify(shape)}`
  const known = DATE_FORMATS.get(key) ?? new Intl.DateTimeFormat(tag, shape)
  DATE_FORMATS.set(key, known)
  return known
}

function numberFormat(tag: string, shape: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = `${tag} ${JSON.stringify(shape)}`
  const known = NUMBER_FORMATS.get(key) ?? new Intl.NumberFormat(tag, shape)
  NUMBER_FORMATS.set(key, known)
  return known
}

function relativeFormat(tag: string): Intl.RelativeTimeFormat {
  const known = RELATIVE_FORMATS.get(tag) ?? new Intl.RelativeTimeFormat(tag, { numeric: 'auto' })
  RELATIVE_FORMATS.set(tag, known)
  return known
}
