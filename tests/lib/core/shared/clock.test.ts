import { expect, test } from 'vitest'
import { formatClock, formatClockOffset, formatLongClock } from '#lib/core/shared/text/clock.ts'

test('a duration has hours only from one hour on', () => {
  expect([0, 5, 65.9, 723, 3600, 3723, 36_000].map(formatClock)).toEqual([
    '0:00',
    '0:05',
    '1:05',
    '12:03',
    '1:00:00',
    '1:02:03',
    '10:00:00',
  ])
  expect([5, 723, 3723, 90_000].map(formatLongClock)).toEqual(['0:00:05', '0:12:03', '1:02:03', '25:00:00'])
})

test('a negative or unknown duration is zero', () => {
  expect([-5, Number.NaN, Number.POSITIVE_INFINITY].map(formatClock)).toEqual(['0:00', '0:00', '0:00'])
})

test('an offset before the start has a minus, unless it is less than a second', () => {
  expect([-65_000, -400, 65_000].map(formatClockOffset)).toEqual(['−1:05', '0:00', '1:05'])
})
