import fc from 'fast-check'
import { expect, test } from 'vitest'
import { localDay, localTime } from '#lib/core/shared/time-zone.ts'
import { periodOf } from '#lib/schedule/period.ts'
import { SCHEDULE_VIEWS } from '#lib/schedule/schema.ts'

const HOUR = 3_600_000
/** Days on which clocks change; Kathmandu has none. */
const CHANGES = [
  ['Europe/Kyiv', '2026-03-29', 23],
  ['Europe/Kyiv', '2026-10-25', 25],
  ['America/New_York', '2026-03-08', 23],
  ['America/New_York', '2026-11-01', 25],
  ['Asia/Kathmandu', '2026-03-29', 24],
  ['Australia/Lord_Howe', '2026-10-04', 23.5],
  ['Australia/Lord_Howe', '2026-04-05', 24.5],
  ['Africa/Casablanca', '2026-02-15', 25],
  ['Africa/Casablanca', '2026-03-22', 23],
] as const

test.each(CHANGES)('in %s the day %s has %d hours', (zone, date, hours) => {
  const { boundaries } = periodOf('day', date, zone, new Date())
  expect((Number(boundaries[1]) - Number(boundaries[0])) / HOUR).toBe(hours)
})

test('every instant of a period belongs to the local day whose boundaries enclose it, in every zone', () => {
  const input = fc.record({
    change: fc.constantFrom(...CHANGES),
    view: fc.constantFrom(...SCHEDULE_VIEWS),
    share: fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
  })
  fc.assert(
    fc.property(input, ({ change: [zone, date], view, share }) => {
      const { days, boundaries } = periodOf(view, date, zone, new Date())
      expect(days).toContain(date)
      expect(boundaries).toHaveLength(days.length + 1)
      for (const [index, day] of days.entries()) {
        const [start, end] = [Number(boundaries[index]), Number(boundaries[index + 1])]
        expect(localDay(new Date(start + Math.floor((end - start) * share)), zone)).toBe(day)
        expect(localTime(new Date(start), zone)).toBe('00:00')
      }
    }),
    { numRuns: 60 },
  )
})

test('a month consists of whole weeks from Monday and leads to the first day of its neighbours', () => {
  const { days, previous, next } = periodOf('month', '2026-11-24', 'Europe/Kyiv', new Date())
  expect([days[0], days.at(-1), days.length]).toEqual(['2026-10-26', '2026-12-06', 42])
  expect([previous, next]).toEqual(['2026-10-01', '2026-12-01'])
  const february = periodOf('month', '2027-02-01', 'Europe/Kyiv', new Date())
  expect([february.days[0], february.days.length]).toEqual(['2027-02-01', 28])
})

test('without a day a view shows the current day of the zone', () => {
  const now = new Date('2026-11-24T23:30:00Z')
  expect(periodOf('day', undefined, 'Europe/Kyiv', now)).toMatchObject({ date: '2026-11-25', today: '2026-11-25' })
  expect(periodOf('week', undefined, 'America/New_York', now)).toMatchObject({ date: '2026-11-24' })
  expect(periodOf('week', undefined, 'America/New_York', now).days[0]).toBe('2026-11-23')
})
