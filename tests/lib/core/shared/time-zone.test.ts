import { Temporal } from 'temporal-polyfill'
import { describe, expect, test } from 'vitest'
import { addDays, instantOfWallTime, isoWithOffset, localDay, localTime } from '#lib/core/shared/time-zone.ts'

const MINUTE = 60_000

/**
 * In addition to ordinary changes of an hour: half an hour, two hours, a skipped day, a month without, a changed zone,
 * none.
 */
const ZONES = [
  'Europe/Kyiv',
  'America/New_York',
  'Australia/Lord_Howe',
  'Antarctica/Troll',
  'Pacific/Apia',
  'Africa/Casablanca',
  'America/Caracas',
  'Asia/Kathmandu',
]

/** Instants every 35 minutes from a day and a half before to a day and a half after each change of a zone's clocks. */
function instantsAroundChanges(zone: string): number[] {
  const instants = [Date.parse('2026-06-01T09:00:00Z')]
  const start = Temporal.Instant.from('2005-01-01T00:00Z').toZonedDateTimeISO(zone)
  for (let change = start.getTimeZoneTransition('next'); change; change = change.getTimeZoneTransition('next')) {
    if (change.year > 2031) break
    for (let minutes = -36 * 60; minutes <= 36 * 60; minutes += 35)
      instants.push(change.epochMilliseconds + minutes * MINUTE)
  }
  return instants
}

describe.each(ZONES)('in %s, around each change of the clocks from 2005 to 2031', (zone) => {
  const instants = instantsAroundChanges(zone)
  const zoned = (at: number) => Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone)

  test('an instant is the local time that Temporal computes', () => {
    for (const at of instants) {
      const expected = zoned(at)
      const local = `${localDay(new Date(at), zone)}T${localTime(new Date(at), zone)}`
      expect(local).toBe(expected.toPlainDateTime().toString({ smallestUnit: 'minute' }))
      expect(isoWithOffset(new Date(at), zone)).toBe(
        expected.toString({ smallestUnit: 'second', timeZoneName: 'never' }),
      )
    }
  })

  test('a local time is the instant that Temporal computes, if it is skipped or occurs twice too', () => {
    for (const wall of instants) {
      const local = Temporal.Instant.fromEpochMilliseconds(wall).toZonedDateTimeISO('UTC').toPlainDateTime()
      expect(instantOfWallTime(wall, zone).getTime()).toBe(local.toZonedDateTime(zone).epochMilliseconds)
    }
  })

  test('adding days gives the instant that Temporal computes', () => {
    for (const at of instants.filter((_, index) => index % 5 === 0))
      for (const days of [-200, -1, 1, 30])
        expect(addDays(new Date(at), days, zone).getTime(), `${new Date(at).toISOString()} ${days}`).toBe(
          zoned(at).add({ days }).epochMilliseconds,
        )
  })
})
