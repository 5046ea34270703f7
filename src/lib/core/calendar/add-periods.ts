import { Temporal } from 'temporal-polyfill'

/**
 * The same hour and day in a time zone after some days, weeks, months or years, or before where `count` is negative. A day
 * that the month does not have is its last one.
 */
export function addPeriods(
  start: Date,
  { unit, count }: { unit: 'day' | 'week' | 'month' | 'year'; count: number },
  zone: string,
): Date {
  const from = Temporal.Instant.fromEpochMilliseconds(start.getTime()).toZonedDateTimeISO(zone)
  return new Date(from.add({ [`${unit}s`]: count }).epochMilliseconds)
}
