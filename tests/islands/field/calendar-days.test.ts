import { describe, expect, test } from 'vitest'
import { addMonths, dayForKey, weeksOfMonth } from '#islands/field/calendar-days.ts'
import { matchesAccept } from '#islands/field/matches-accept.ts'

describe('the calendar of a date field', () => {
  test.each([
    ['ArrowLeft', false, '2026-10-31'],
    ['ArrowRight', false, '2026-11-02'],
    ['ArrowUp', false, '2026-10-25'],
    ['ArrowDown', false, '2026-11-08'],
    ['Home', false, '2026-10-26'],
    ['End', false, '2026-11-01'],
    ['PageUp', false, '2026-10-01'],
    ['PageDown', false, '2026-12-01'],
    ['PageUp', true, '2025-11-01'],
    ['PageDown', true, '2027-11-01'],
  ])('%s (shift: %s) moves from Sunday, 1 November 2026 to %s', (key, shift, day) =>
    expect(dayForKey('2026-11-01', key, shift)).toBe(day),
  )

  test('other keys move nowhere', () => expect(dayForKey('2026-11-01', 'Enter', false)).toBeNull())

  test('the last day of a longer month becomes the last of a shorter one', () => {
    expect(addMonths('2026-01-31', 1)).toBe('2026-02-28')
    expect(addMonths('2028-02-29', 12)).toBe('2029-02-28')
    expect(addMonths('2026-12-31', 2)).toBe('2027-02-28')
  })

  test('weeks begin on Monday and have no days of other months', () => {
    const weeks = weeksOfMonth('2026-11-22')
    expect(weeks).toHaveLength(6)
    expect(weeks[0]).toEqual([null, null, null, null, null, null, '2026-11-01'])
    expect(weeks.at(-1)).toEqual(['2026-11-30', null, null, null, null, null, null])
    expect(weeksOfMonth('2027-02-10')).toHaveLength(4)
    expect(weeksOfMonth('2026-12-31').flat().filter(Boolean)).toHaveLength(31)
  })
})

describe('a file field accepts', () => {
  const csv = { name: 'Script.CSV', type: '' }
  test.each([
    ['', csv, true],
    ['.csv,text/csv', csv, true],
    ['text/csv', { name: 'a', type: 'text/csv' }, true],
    ['image/*', { name: 'a.png', type: 'image/png' }, true],
    ['image/*', csv, false],
    ['image/png', { name: 'a.gif', type: 'image/gif' }, false],
  ])('%j: %o %s', (accept, file, fits) => expect(matchesAccept(file, accept)).toBe(fits))
})
