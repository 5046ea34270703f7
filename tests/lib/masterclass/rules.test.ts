import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatClock } from '#lib/core/shared/text/clock.ts'
import {
  canEnterByLink,
  effectiveGate,
  hasExpired,
  isSameCode,
  mergeWatchedRanges,
  openState,
  partOpensAt,
  sumSeconds,
  timerEnd,
  viewSeries,
  type WatchedRange,
} from '#lib/masterclass/rules.ts'
import { parseChapterTime, splitLines } from '#lib/masterclass/text-rules.ts'

const NOW = new Date('2026-11-21T12:00:00Z')
const at = (hours: number) => new Date(NOW.getTime() + hours * 3_600_000)
const iso = (hours: number) => at(hours).toISOString()

describe('a masterclass page', () => {
  test.each([
    ['is open without bounds', { openFrom: null, openTo: null }, 'open'],
    ['waits for its first moment', { openFrom: iso(1), openTo: null }, 'early'],
    ['is open from it', { openFrom: iso(0), openTo: iso(1) }, 'open'],
    ['is over at its last moment', { openFrom: null, openTo: iso(0) }, 'over'],
  ])('%s', (_name, bounds, state) => {
    expect(openState(bounds, NOW)).toBe(state)
  })

  test('opens a part at once, on its date, or a number of days after the first visit', () => {
    const part = { unlock: 'open' as const, unlockAt: iso(5), unlockDays: 2 }
    expect(partOpensAt(part, NOW)).toBe(null)
    expect(partOpensAt({ ...part, unlock: 'date' }, NOW)).toEqual(at(5))
    expect(partOpensAt({ ...part, unlock: 'afterDays' }, NOW)).toEqual(at(48))
  })

  test('closes for a visitor whose days have passed', () => {
    expect([at(71.9), at(72)].map((now) => hasExpired({ watchDays: 3 }, NOW, now))).toEqual([false, true])
    expect(hasExpired({ watchDays: null }, NOW, at(9999))).toBe(false)
  })

  test('counts down to one date for all or from each first visit', () => {
    const timer = { timerUntil: iso(3), timerMinutes: 90 }
    expect(timerEnd({ ...timer, timer: 'none' }, NOW)).toBe(null)
    expect(timerEnd({ ...timer, timer: 'until' }, NOW)).toEqual(at(3))
    expect(timerEnd({ ...timer, timer: 'evergreen' }, at(1))).toEqual(at(2.5))
  })

  test('accepts its code regardless of case and spaces, but no empty code', () => {
    expect([isSameCode(' Осінь 26', 'осінь26'), isSameCode('осінь', 'весна'), isSameCode('', '')]).toEqual([
      true,
      false,
      false,
    ])
  })
})

const stretch = fc.tuple(fc.nat({ max: 300 }), fc.nat({ max: 300 })).map(([a, b]): WatchedRange => [a, b])

describe('watched intervals', () => {
  test('merge to exactly the seconds contained in any of them', () => {
    fc.assert(
      fc.property(fc.array(stretch, { maxLength: 30 }), (stretches) => {
        const seconds = new Set(
          stretches.flatMap(([a, b]) => Array.from({ length: Math.max(0, b - a) }, (_, n) => a + n)),
        )
        const merged = mergeWatchedRanges(stretches)
        expect(sumSeconds(merged)).toBe(seconds.size)
        for (const [index, [from, to]] of merged.entries()) {
          expect(to).toBeGreaterThan(from)
          expect(from).toBeGreaterThan(merged[index - 1]?.[1] ?? -1)
        }
      }),
    )
  })

  test('yield a retention curve', () => {
    expect(viewSeries([[[0, 100]], [[0, 50]], [[95, 100]]], 100, 4)).toEqual([2, 2, 1, 1])
  })
})

describe('lists typed line by line', () => {
  test('accept times in common notations', () => {
    expect(['0:05', '12:30', '75:00', '1:02:03', '12:60', 'пів'].map(parseChapterTime)).toEqual([
      5,
      750,
      4500,
      3723,
      null,
      null,
    ])
  })

  test('are formatted back unchanged', () => {
    fc.assert(fc.property(fc.nat({ max: 80_000 }), (seconds) => parseChapterTime(formatClock(seconds)) === seconds))
    expect(splitLines(' один\r\n\n два \nтри')).toEqual(['один', 'два', 'три'])
  })
})

describe('the gate of a page', () => {
  test('requires an account for an event for students, whatever else is configured', () => {
    expect(effectiveGate('email', 'students')).toBe('students')
    expect([effectiveGate('email', 'open'), effectiveGate('code', 'registration')]).toEqual(['email', 'code'])
  })

  test('opens by the registration link unless it requires more', () => {
    expect((['open', 'email', 'code', 'students'] as const).map(canEnterByLink)).toEqual([true, true, false, false])
  })
})

test('a part or timer without a date has none', () => {
  expect(partOpensAt({ unlock: 'date', unlockAt: null, unlockDays: 2 }, NOW)).toBeNull()
  expect(timerEnd({ timer: 'until', timerUntil: null, timerMinutes: 5 }, NOW)).toBeNull()
})

test('a segment counts in the curve when at least half of it was watched', () => {
  expect(viewSeries([[[0, 5]], [[0, 4]]], 20, 2)).toEqual([1, 0])
  expect(
    viewSeries(
      [
        [
          [0, 2],
          [4, 7],
        ],
      ],
      20,
      2,
    ),
  ).toEqual([1, 0])
})

test('times are formatted in the common notation', () => {
  expect([0, 59.9, 750, 3600, 3723].map(formatClock)).toEqual(['0:00', '0:59', '12:30', '1:00:00', '1:02:03'])
  expect(parseChapterTime(' 1:02:03 ')).toBe(3723)
  for (const typed of ['x1:02', '1:02x', '123:00:00', '1234:00', '1:2', '']) expect(parseChapterTime(typed)).toBeNull()
})

test('adjacent intervals merge, and empty ones are removed', () => {
  expect(
    mergeWatchedRanges([
      [5, 9],
      [0, 5],
      [20, 20],
    ]),
  ).toEqual([[0, 9]])
})
