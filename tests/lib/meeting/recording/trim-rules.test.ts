import { expect, test } from 'vitest'
import { formatTrimTime, isValidRange, parseTrimTime } from '#lib/meeting/recording/trim-rules.ts'

test.each([
  ['1:02:03', 3723],
  [' 2:03 ', 123],
  ['123', 123],
  ['0', 0],
  ['90:59', 5459],
  ['99999', 99_999],
  ['100000', null],
  ['1:60', null],
  ['1:00:60', null],
  ['1:2:3:4', null],
  ['', null],
  ['1:', null],
  ['-5', null],
  ['5x', null],
  ['x5', null],
])('the time %j is %s seconds', (typed, seconds) => {
  expect(parseTrimTime(typed)).toBe(seconds)
})

test.each([
  [0, '0:00'],
  [-3, '0:00'],
  [59.4, '0:59'],
  [59.6, '1:00'],
  [3599, '59:59'],
  [3600, '1:00:00'],
  [3723, '1:02:03'],
])('%s seconds are formatted as %s', (seconds, text) => {
  expect(formatTrimTime(seconds)).toBe(text)
})

test('a trimmed part lasts at least a second and lies within the recording, whose last second may be its start', () => {
  const video = 60.4
  expect(isValidRange({ from: 0, to: 61 }, video)).toBe(true)
  expect(isValidRange({ from: 0, to: 61.1 }, video)).toBe(false)
  expect(isValidRange({ from: 10, to: 11 }, video)).toBe(true)
  expect(isValidRange({ from: 10, to: 10.9 }, video)).toBe(false)
  expect(isValidRange({ from: -1, to: 11 }, video)).toBe(false)
})
