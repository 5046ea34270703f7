import type { Locale } from '#lib/core/shared/locale.ts'

/** A month like `2026-11` in words. */
export function monthName(month: string, locale: Locale, width: 'long' | 'short' = 'long'): string {
  const format = new Intl.DateTimeFormat(locale, { month: width, year: 'numeric', timeZone: 'UTC' })
  return format.format(new Date(`${month}-01T00:00:00Z`))
}
