import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { clock, linesOf, secondsFrom } from '#lib/masterclass/lines-rules.ts'
import {
  curveOf,
  gateOf,
  isOpen,
  isSpent,
  mergeStretches,
  opensAt,
  opensByLetter,
  type Stretch,
  sameCode,
  secondsOf,
  timerEnd,
} from '#lib/masterclass/rules.ts'

const NOW = new Date('2026-11-21T12:00:00Z')
const at = (hours: number) => new Date(NOW.getTime() + hours * 3_600_000)
const iso = (hours: number) => at(hours).toISOString()

describe('a page', () => {
  test.each([
    ['is open without bounds', { openFrom: null, openTo: null }, 'open'],
    ['waits for its first moment', { openFrom: iso(1), openTo: null }, 'early'],
    ['is open from it', { openFrom: iso(0), openTo: iso(1) }, 'open'],
    ['is over at its last moment', { openFrom: null, openTo: iso(0) }, 'over'],
  ])('%s', (_name, bounds, state) => {
    expect(isOpen(bounds, NOW)).toBe(state)
  })

  test('opens a part at once, on its day, or so many days after the first visit', () => {
    const part = { unlock: 'open' as const, unlockAt: iso(5), unlockDays: 2 }
    expect(opensAt(part, NOW)).toBe(null)
    expect(opensAt({ ...part, unlock: 'date' }, NOW)).toEqual(at(5))
    expect(opensAt({ ...part, unlock: 'afterDays' }, NOW)).toEqual(at(48))
  })

  test('closes for a visitor whose days are over', () => {
    expect([at(71.9), at(72)].map((now) => isSpent({ watchDays: 3 }, NOW, now))).toEqual([false, true])
    expect(isSpent({ watchDays: null }, NOW, at(9999))).toBe(false)
  })

  test('counts down to one date for all or from the first visit of each', () => {
    const timer = { timerUntil: iso(3), timerMinutes: 90 }
    expect(timerEnd({ ...timer, timer: 'none' }, NOW)).toBe(null)
    expect(timerEnd({ ...timer, timer: 'until' }, NOW)).toEqual(at(3))
    expect(timerEnd({ ...timer, timer: 'evergreen' }, at(1))).toEqual(at(2.5))
  })

  test('takes its code without regard to case and blanks, but no empty one', () => {
    expect([sameCode(' Осінь 26', 'осінь26'), sameCode('осінь', 'весна'), sameCode('', '')]).toEqual([
      true,
      false,
      false,
    ])
  })
})

const stretch = fc.tuple(fc.nat({ max: 300 }), fc.nat({ max: 300 })).map(([a, b]): Stretch => [a, b])

describe('stretches that were watched', () => {
  test('merge to the very seconds that are in any of them', () => {
    fc.assert(
      fc.property(fc.array(stretch, { maxLength: 30 }), (stretches) => {
        const seconds = new Set(
          stretches.flatMap(([a, b]) => Array.from({ length: Math.max(0, b - a) }, (_, n) => a + n)),
        )
        const merged = mergeStretches(stretches)
        expect(secondsOf(merged)).toBe(seconds.size)
        for (const [index, [from, to]] of merged.entries()) {
          expect(to).toBeGreaterThan(from)
          expect(from).toBeGreaterThan(merged[index - 1]?.[1] ?? -1)
        }
      }),
    )
  })

  test('make a curve of who watched each piece', () => {
    expect(curveOf([[[0, 100]], [[0, 50]], [[95, 100]]], 100, 4)).toEqual([2, 2, 1, 1])
  })
})

describe('what is typed line by line', () => {
  test('reads times as people write them', () => {
    expect(['0:05', '12:30', '75:00', '1:02:03', '12:60', 'пів'].map(secondsFrom)).toEqual([
      5,
      750,
      4500,
      3723,
      null,
      null,
    ])
  })

  test('comes back the same', () => {
    fc.assert(fc.property(fc.nat({ max: 80_000 }), (seconds) => secondsFrom(clock(seconds)) === seconds))
    expect(linesOf(' один\r\n\n два \nтри')).toEqual(['один', 'два', 'три'])
  })
})

describe('the gate of a page', () => {
  test('of an event for students asks for an account, whatever else was chosen', () => {
    expect(gateOf('email', 'students')).toBe('students')
    expect([gateOf('email', 'open'), gateOf('code', 'registration')]).toEqual(['email', 'code'])
  })

  test('opens by the link of a registration unless it asks for more', () => {
    expect((['open', 'email', 'code', 'students'] as const).map(opensByLetter)).toEqual([true, true, false, false])
  })
})

test('a part or a timer whose date is not chosen yet has none', () => {
  expect(opensAt({ unlock: 'date', unlockAt: null, unlockDays: 2 }, NOW)).toBeNull()
  expect(timerEnd({ timer: 'until', timerUntil: null, timerMinutes: 5 }, NOW)).toBeNull()
})

test('half of a piece that was watched counts in the curve, less does not', () => {
  expect(curveOf([[[0, 5]], [[0, 4]]], 20, 2)).toEqual([1, 0])
  expect(
    curveOf(
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

test('times are written as people write them', () => {
  expect([0, 59.9, 750, 3600, 3723].map(clock)).toEqual(['0:00', '0:59', '12:30', '1:00:00', '1:02:03'])
  expect(secondsFrom(' 1:02:03 ')).toBe(3723)
  for (const typed of ['x1:02', '1:02x', '123:00:00', '1234:00', '1:2', '']) expect(secondsFrom(typed)).toBeNull()
})

test('what touches becomes one, and nothing is left of an empty stretch', () => {
  expect(
    mergeStretches([
      [5, 9],
      [0, 5],
      [20, 20],
    ]),
  ).toEqual([[0, 9]])
})
