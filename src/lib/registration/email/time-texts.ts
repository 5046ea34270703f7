import { formatClock, formatOccasion, formatZone, type Locale } from '#lib/core/shared/locale.ts'
import type { Say } from '#lib/core/shared/text/strings.ts'
import { dayNumber, localTime } from '#lib/core/shared/zone.ts'

/** «неділя, 25 жовтня 2026 р. о 19:00 за Києвом». */
export function whenWords(t: Say, at: Date | string, zone: string, locale: Locale): string {
  return t('registration:when.full', { time: formatOccasion(at, zone, locale), zone: zoneWords(t, at, zone, locale) })
}

/** «19:00 за Києвом». */
export function clockWords(t: Say, at: Date, zone: string, locale: Locale): string {
  return t('registration:when.clock', { time: formatClock(at, zone, locale), zone: zoneWords(t, at, zone, locale) })
}

/** «за Києвом»; other zones as the language calls them. */
export function zoneWords(t: Say, at: Date | string, zone: string, locale: Locale): string {
  return zone === 'Europe/Kyiv' ? t('registration:when.kyiv') : formatZone(at, zone, locale)
}

/** «сьогодні» or «завтра» on somebody's own calendar; null for other days. */
export function dayWord(t: Say, at: Date, zone: string, now: Date): string | null {
  const days = dayNumber(at, zone) - dayNumber(now, zone)
  if (days === 0) return t('registration:when.today')
  return days === 1 ? t('registration:when.tomorrow') : null
}

/** Minutes and seconds into the event: 34:12. */
export function momentWords(from: Date, at: Date): string {
  const seconds = Math.max(0, Math.round((at.getTime() - from.getTime()) / 1000))
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

/** The hour that a clock there shows. */
export const hourIn = (at: Date, zone: string): number => Number(localTime(at, zone).slice(0, 2))
