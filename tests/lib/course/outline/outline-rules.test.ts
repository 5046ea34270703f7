import { expect, test } from 'vitest'
import { moveTogether, restorePositions, ruleDates, shiftRule } from '#lib/course/outline/rules.ts'
import type { AccessRule } from '#lib/course/schema.ts'

test('lessons are placed together before another one, in the order given, or at the end', () => {
  expect(moveTogether(['a', 'b', 'c', 'd'], ['d', 'a'], 'c')).toEqual(['b', 'd', 'a', 'c'])
  expect(moveTogether(['a', 'b', 'c'], ['c'], 'a')).toEqual(['c', 'a', 'b'])
  expect(moveTogether(['a', 'b', 'c'], ['a'], null)).toEqual(['b', 'c', 'a'])
  expect(moveTogether(['a', 'b', 'c'], ['a'], 'gone')).toEqual(['b', 'c', 'a'])
})

test('lessons are restored behind the nearest former predecessor', () => {
  expect(restorePositions(['b', 'c', 'a'], new Set(['a']), ['a', 'b', 'c'])).toEqual(['a', 'b', 'c'])
  expect(restorePositions(['c', 'a', 'b'], new Set(['c']), ['a', 'b', 'c'])).toEqual(['a', 'b', 'c'])
  expect(restorePositions(['d', 'c', 'a'], new Set(['c', 'd']), ['a', 'b', 'c', 'd'])).toEqual(['a', 'c', 'd'])
  expect(restorePositions(['b', 'x', 'a'], new Set(['b']), ['a', 'b'])).toEqual(['x', 'a', 'b'])
})

const date = (at: string): AccessRule => ({ mode: 'date', at })

test('dates of a rule move at the same local time, also across a clock change', () => {
  const rule: AccessRule = {
    mode: 'any',
    rules: [{ mode: 'all', rules: [date('2026-10-24T09:00:00.000Z')] }, { mode: 'open' }],
  }
  expect(shiftRule(rule, 1, 'Europe/Kyiv')).toEqual({
    mode: 'any',
    rules: [{ mode: 'all', rules: [date('2026-10-25T10:00:00.000Z')] }, { mode: 'open' }],
  })
  const open: AccessRule = { mode: 'open' }
  expect(shiftRule(open, 1, 'Europe/Kyiv')).toBe(open)
})

test('dates of a rule are found at every depth', () => {
  const [first, second] = ['2026-10-24T09:00:00.000Z', '2026-11-24T09:00:00.000Z']
  const rule: AccessRule = {
    mode: 'all',
    rules: [date(first), { mode: 'any', rules: [date(second)] }, { mode: 'open' }],
  }
  expect(ruleDates(rule)).toEqual([new Date(first), new Date(second)])
  expect(ruleDates({ mode: 'open' })).toEqual([])
})
