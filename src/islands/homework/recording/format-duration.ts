import type { Locale } from '#lib/core/shared/locale.ts'

/** Seconds as whole minutes, «109 хвилин»; below two minutes as seconds. */
export function formatRecordingDuration(seconds: number, locale: Locale): string {
  const [value, unit] = seconds < 120 ? [Math.floor(seconds), 'second'] : [Math.floor(seconds / 60), 'minute']
  return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(value)
}
