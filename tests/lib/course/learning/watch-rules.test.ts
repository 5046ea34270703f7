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

describe('what was watched', () => {
  test('is the same in whatever order two devices tell of it', () => {
    fc.assert(
      fc.property(ranges, ranges, ranges, (a, b, c) => {
        const whole = mergeRanges(a, b, c)
        expect(mergeRanges(b, a)).toEqual(mergeRanges(a, b))
        expect(mergeRanges(mergeRanges(a, b), c)).toEqual(whole)
        expect(mergeRanges(a, mergeRanges(c, b))).toEqual(whole)
      }),
    )
  })

  test('does not change when it is told again', () => {
    fc.assert(
      fc.property(ranges, ranges, (a, b) => {
        const once = mergeRanges(a, b)
        expect(mergeRanges(once)).toEqual(once)
        expect(mergeRanges(once, once)).toEqual(once)
        expect(mergeRanges(once, a)).toEqual(once)
      }),
    )
  })

  test('only grows, and keeps every moment that was ever there', () => {
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

  test('stands ascending and apart, in tenths of a second', () => {
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

  test('never reaches past the end of the film', () => {
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

  test('joins moments that touch, and keeps apart what was jumped over', () => {
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

  test('counts as whole when only the last second is missing, but not when a tenth of a short film is', () => {
    expect(isWatched([[0, 599]], 600, 100)).toBe(true)
    expect(watchedShare([[0, 599]], 600)).toBe(1)
    expect(isWatched([[0, 9]], 10, 100)).toBe(false)
    expect(isWatched([[0, 480]], 600, 80)).toBe(true)
    expect(isWatched([[0, 470]], 600, 80)).toBe(false)
    expect(isWatched([[100, 600]], null, 1)).toBe(false)
  })

  test('is impossible when it is more than twice the time since the lesson was opened', () => {
    const opened = new Date('2026-11-21T10:00:00Z')
    const later = (minutes: number) => new Date(opened.getTime() + minutes * 60_000)
    const watched = { a: [[0, 1200]] as [number, number][], b: [[0, 60]] as [number, number][] }
    expect(isPlausible(watched, opened, later(1))).toBe(false)
    expect(isPlausible(watched, opened, later(10))).toBe(true)
  })
})

describe('the numbers of a film', () => {
  test('a gap of half a second is none, a longer one is', () => {
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

  test('nothing is cut while the length is unknown, and what begins at the end is no part of it', () => {
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

  test('seconds are those within the ranges, shares those of the whole', () => {
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

  test('a part is watched when all but the last moment of it is', () => {
    expect([isWatched([[0, 48.5]], 100, 50), isWatched([[0, 48.4]], 100, 50)]).toEqual([true, false])
    expect(isWatched([[0, 50]], null, 50)).toBe(false)
  })
})
