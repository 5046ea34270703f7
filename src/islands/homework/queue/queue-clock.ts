import { formatUnit, type Locale } from '#lib/core/shared/locale.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import { HOUR_MS } from '#lib/core/shared/time.ts'
import type { DeadlineClock } from '#lib/homework/review/rules.ts'

/** «5 год», «3 дні»: hours up to two days, whole days from there on. */
export function formatSpan(hours: number, locale: Locale): string {
  const [value, unit]: [number, 'hour' | 'day'] =
    hours < 48 ? [Math.max(hours, 0), 'hour'] : [Math.floor(hours / 24), 'day']
  return formatUnit(value, unit, locale, unit === 'day' ? 'long' : 'short')
}

/** Time since an instant, as `formatSpan`. */
export function formatWait(since: Date | string, locale: Locale, now = Date.now()): string {
  return formatSpan(Math.floor((now - new Date(since).getTime()) / HOUR_MS), locale)
}

/** The response deadline as text; empty without a deadline. */
export function formatDeadline(t: Translate, { tone, hours }: DeadlineClock, locale: Locale): string {
  if (tone === 'none' || hours === null) return ''
  return t(`homework:clock.${tone}`, { time: hours === 0 ? t('homework:clock.hour') : formatSpan(hours, locale) })
}
