import { type Locale, localeTag } from '#lib/core/shared/locale.ts'
import { DAY_MS } from '#lib/core/shared/time.ts'
import type { SchedulePeriod } from '#lib/schedule/period.ts'
import type { ScheduleView } from '#lib/schedule/schema.ts'

/** The heading of a period: «листопад 2026 р.», «23–29 листопада 2026 р.», «вівторок, 24 листопада 2026 р.». */
export function formatPeriod(view: ScheduleView, { date, days }: SchedulePeriod, locale: Locale): string {
  if (view === 'month') return capitalize(monthFormat(locale).format(utc(date)))
  if (view === 'day') return capitalize(dayFormat(locale).format(utc(date)))
  const [first = date, last = date] = [days[0], days.at(-1)]
  return rangeFormat(locale).formatRange(utc(first), utc(last))
}

/** Short names of the days of the week, from Monday. */
export function weekdayNames(locale: Locale): string[] {
  const format = new Intl.DateTimeFormat(localeTag(locale), { weekday: 'short', timeZone: 'UTC' })
  // Day 4 was a Monday.
  return Array.from({ length: 7 }, (_, index) => format.format((4 + index) * DAY_MS))
}

const utc = (day: string): Date => new Date(`${day}T00:00:00Z`)
const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

const monthFormat = (locale: Locale) =>
  new Intl.DateTimeFormat(localeTag(locale), { month: 'long', year: 'numeric', timeZone: 'UTC' })
const dayFormat = (locale: Locale) => new Intl.DateTimeFormat(localeTag(locale), { dateStyle: 'full', timeZone: 'UTC' })
const rangeFormat = (locale: Locale) =>
  new Intl.DateTimeFormat(localeTag(locale), { dateStyle: 'long', timeZone: 'UTC' })
