import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatFullDateTime, LOCALES } from '#lib/core/shared/locale.ts'
import { formatDateInput, isDateValue, parseDateInput } from '#lib/core/shared/text/date-input.ts'

const TODAY = '2026-11-22'

describe('a date field understands', () => {
  test.each([
    ['22.11.2026', '2026-11-22'],
    ['1.2.27', '2027-02-01'],
    ['22/11/2026', '2026-11-22'],
    ['2026-11-22', '2026-11-22'],
    ['22 листопада', '2026-11-22'],
    ['21 листопада', '2027-11-21'],
    ['неділя, 22 листопада 2026 р.', '2026-11-22'],
    ['3 серпня 2027 року', '2027-08-03'],
    ['середа, 4 серпня 2027', '2027-08-04'],
    ['22 Nov 2026', '2026-11-22'],
    ['Nov 22, 2026', '2026-11-22'],
    ['Sunday, 22nd of November 2026', '2026-11-22'],
    ['29 лютого', '2028-02-29'],
    ['завтра', '2026-11-23'],
    ['Today', TODAY],
  ])('%j', (typed, day) => expect(parseDateInput('date', typed, TODAY)).toBe(day))

  test.each(['', '31.02.2026', '32.01.2026', '2026', '22', 'колись', '1.2.3.4', '22 листопада грудня', '2026-13-01'])(
    'not %j',
    (typed) => expect(parseDateInput('date', typed, TODAY)).toBeNull(),
  )
})

describe('a time field understands', () => {
  test.each([
    ['19:00', '19:00'],
    ['9', '09:00'],
    ['930', '09:30'],
    ['9.05', '09:05'],
    ['7 pm', '19:00'],
    ['12:15am', '00:15'],
    ['0', '00:00'],
  ])('%j', (typed, time) => expect(parseDateInput('time', typed, TODAY)).toBe(time))

  test.each(['', '24:00', '12:60', '13 pm', 'опівдні', '19:00:00'])('not %j', (typed) =>
    expect(parseDateInput('time', typed, TODAY)).toBeNull(),
  )
})

describe('a field of a date and a time understands', () => {
  test.each([
    ['22.11.2026, 19:00', '2026-11-22T19:00'],
    ['22.11.2026 9.30', '2026-11-22T09:30'],
    ['22 листопада 2026 р. о 19:00', '2026-11-22T19:00'],
    ['22 Nov 2026 at 7 pm', '2026-11-22T19:00'],
    ['2026-11-22T19:00', '2026-11-22T19:00'],
    ['завтра о 10:00', '2026-11-23T10:00'],
  ])('%j', (typed, value) => expect(parseDateInput('datetime', typed, TODAY)).toBe(value))

  test.each(['', '22.11.2026', '19:00', '22.11 2026', '31.02.2026 10:00'])('not %j', (typed) =>
    expect(parseDateInput('datetime', typed, TODAY)).toBeNull(),
  )
})

test.each(LOCALES)('what a field shows in %s is read back', (locale) => {
  const minute = fc.date({ min: new Date('1950-01-01'), max: new Date('2150-01-01'), noInvalidDate: true })
  fc.assert(
    fc.property(minute, (at) => {
      const value = at.toISOString().slice(0, 16)
      expect(isDateValue('datetime', value)).toBe(true)
      expect(parseDateInput('datetime', formatDateInput(value, locale), TODAY)).toBe(value)
      expect(parseDateInput('date', formatDateInput(value.slice(0, 10), locale), TODAY)).toBe(value.slice(0, 10))
      expect(parseDateInput('datetime', formatFullDateTime(`${value}Z`, 'UTC', locale), TODAY)).toBe(value)
    }),
  )
})

test('a refused text is no value', () => {
  expect(isDateValue('date', '31.02.2026')).toBe(false)
  expect(isDateValue('date', '2026-02-31')).toBe(false)
  expect(isDateValue('time', '25:00')).toBe(false)
  expect(isDateValue('datetime', '2026-11-22')).toBe(false)
})
