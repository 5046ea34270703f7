import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  clampRanges,
  isPlausible,
  isWatched,
  mergeRanges,
  watchedSeconds,
  watchedShare,
} from '#lib/course/learning/watch-rules.ts'

const range = fc
  .tuple(fc.double({ min: 0, max: 600, noNaN: true }), fc.double({ min: 0.2, max: 90, noNaN: true }))
  .map(([from, length]): [number, number] => [from, from + length])
const ranges = fc.array(range, { maxLength: 30 })

describe('watched ranges', () => {
  test('do not depend on the order of the reports of two devices', () => {
    fc.assert(
      fc.property(ranges, ranges, ranges, (a, b, c) => {
        const whole = mergeRanges(a, b, c)
        expect(mergeRanges(b, a)).toEqual(mergeRanges(a, b))
        expect(mergeRanges(mergeRanges(a, b), c)).toEqual(whole)
        expect(mergeRanges(a, mergeRanges(c, b))).toEqual(whole)
      }),
    )
  })

  test('do not change when reported again', () => {
    fc.assert(
      fc.property(ranges, ranges, (a, b) => {
        const once = mergeRanges(a, b)
        expect(mergeRanges(once)).toEqual(once)
        expect(mergeRanges(once, once)).toEqual(once)
        expect(mergeRanges(once, a)).toEqual(once)
      }),
    )
  })

  test('only grow and keep every reported moment', () => {
    fc.assert(
      fc.property(ranges, ranges, fc.integer({ min: 1, max: 700 }), (a, b, duration) => {
        const before = mergeRanges(a)
        const after = mergeRanges(a, b)
        expect(watchedSeconds(after)).toBeGreaterThanOrEqual(watchedSeconds(before))
        for (const [from, to] of before) expect(after.some(([start, end]) => start <= from && end >= to)).toBe(true)
        expect(watchedShare(after, duration)).toBeGreaterThanOrEqual(watchedShare(before, duration))
        if (isWatched(before, duration, 80)) expect(isWatched(after, duration, 80)).toBe(true)
      }),
    )
  })

  test('are ascending, without overlaps, in tenths of a second', () => {
    fc.assert(
      fc.property(ranges, (a) => {
        const merged = mergeRanges(a)
        for (const [index, [from, to]] of merged.entries()) {
          expect(to).toBeGreaterThan(from)
          expect(from - (merged[index - 1]?.[1] ?? -1)).toBeGreaterThan(0.45)
          expect([from, to]).toEqual([from, to].map((second) => Math.round(second * 10) / 10))
        }
      }),
    )
  })

  test('never exceed the duration', () => {
    fc.assert(
      fc.property(ranges, fc.double({ min: 1, max: 300, noNaN: true }), (a, duration) => {
        for (const [from, to] of clampRanges(a, duration)) {
          expect(from).toBeLessThan(duration)
          expect(to).toBeLessThanOrEqual(duration)
        }
        expect(watchedShare(a, duration)).toBeLessThanOrEqual(1)
      }),
    )
  })

  test('join adjacent moments and keep skipped ones apart', () => {
    expect(mergeRanges([[0, 10]], [[10.4, 20]], [[30, 31]])).toEqual([
      [0, 20],
      [30, 31],
    ])
    expect(
      mergeRanges([
        [5, 5],
        [-3, -1],
        [9, 7],
      ]),
    ).toEqual([])
  })

  test('count as complete without the last second, but not without a tenth of a short video', () => {
    expect(isWatched([[0, 599]], 600, 100)).toBe(true)
    expect(watchedShare([[0, 599]], 600)).toBe(1)
    expect(isWatched([[0, 9]], 10, 100)).toBe(false)
    expect(isWatched([[0, 480]], 600, 80)).toBe(true)
    expect(isWatched([[0, 470]], 600, 80)).toBe(false)
    expect(isWatched([[100, 600]], null, 1)).toBe(false)
  })

  test('are implausible beyond twice the time since the lesson was opened', () => {
    const opened = new Date('2026-11-21T10:00:00Z')
    const later = (minutes: number) => new Date(opened.getTime() + minutes * 60_000)
    const watched = { a: [[0, 1200]] as [number, number][], b: [[0, 60]] as [number, number][] }
    expect(isPlausible(watched, opened, later(1))).toBe(false)
    expect(isPlausible(watched, opened, later(10))).toBe(true)
  })
})

describe('limits of watched ranges', () => {
  test('a gap of up to half a second is closed, a longer one stays', () => {
    expect(
      mergeRanges([
        [0, 1],
        [1.5, 2],
      ]),
    ).toEqual([[0, 2]])
    expect(
      mergeRanges([
        [0, 1],
        [1.6, 2],
      ]),
    ).toEqual([
      [0, 1],
      [1.6, 2],
    ])
  })

  test('nothing is cut while the duration is unknown, and ranges that begin at the end are dropped', () => {
    expect(clampRanges([[5, 12]], null)).toEqual([[5, 12]])
    expect(
      clampRanges(
        [
          [5, 12],
          [10, 12],
        ],
        10,
      ),
    ).toEqual([[5, 10]])
  })

  test('seconds are counted within the ranges, shares of the duration', () => {
    expect(
      watchedSeconds([
        [10, 20],
        [30, 35],
      ]),
    ).toBe(15)
    expect(watchedShare([[0, 50]], 100)).toBe(0.5)
    expect(watchedShare([[0, 50]], null)).toBe(0)
    expect(watchedShare([[0, 98.5]], 100)).toBe(1)
    expect(watchedShare([[0, 98.4]], 100)).toBeCloseTo(0.984)
  })

  test('a share is reached within the tolerance', () => {
    expect([isWatched([[0, 48.5]], 100, 50), isWatched([[0, 48.4]], 100, 50)]).toEqual([true, false])
    expect(isWatched([[0, 50]], null, 50)).toBe(false)
  })
})
