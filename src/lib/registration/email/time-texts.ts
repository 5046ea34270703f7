import { formatFullDateTime, formatTime, type Locale } from '#lib/core/shared/locale.ts'
import { formatClock } from '#lib/core/shared/text/clock.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import { dayNumber, localTime } from '#lib/core/shared/time-zone.ts'
import { formatZoneName } from '#lib/core/shared/time-zone-names.ts'

/** «неділя, 25 жовтня 2026 р. о 19:00 за Києвом». */
export function formatEmailDateTime(t: Translate, at: Date | string, zone: string, locale: Locale): string {
  return t('registration:when.full', {
    time: formatFullDateTime(at, zone, locale),
    zone: formatZoneName(t, at, zone, locale),
  })
}

/** «19:00 за Києвом». */
export function formatTimeWithZone(t: Translate, at: Date, zone: string, locale: Locale): string {
  return t('registration:when.clock', {
    time: formatTime(at, zone, locale),
    zone: formatZoneName(t, at, zone, locale),
  })
}

/** «сьогодні» or «завтра» in the recipient's zone; null for other days. */
export function formatRelativeDay(t: Translate, at: Date, zone: string, now: Date): string | null {
  const days = dayNumber(at, zone) - dayNumber(now, zone)
  if (days === 0) return t('registration:when.today')
  return days === 1 ? t('registration:when.tomorrow') : null
}

/** Elapsed time since the start: 34:12. */
export const formatElapsed = (start: Date, at: Date): string =>
  formatClock(Math.round((at.getTime() - start.getTime()) / 1000))

/** Local hour in a zone. */
export const hourInZone = (at: Date, zone: string): number => Number(localTime(at, zone).slice(0, 2))
