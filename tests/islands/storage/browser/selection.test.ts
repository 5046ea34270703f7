import { describe, expect, test } from 'vitest'
import { keyAct } from '#islands/storage/browser/key-action.ts'
import { addressOf, askedOf, START } from '#islands/storage/browser/listing-query.ts'
import { choose, chooseAll, keepChosen, NONE, step } from '#islands/storage/browser/selection.ts'
import { daysLeft, lengthOf } from '#islands/storage/file-text.ts'

const ids = ['a', 'b', 'c', 'd', 'e']
const chosen = (selection: { chosen: ReadonlySet<string> }) => [...selection.chosen].join('')

describe('what is chosen', () => {
  test('is one by a click, more with Ctrl, a range with Shift from where it began', () => {
    const one = choose(NONE, ids, 1)
    expect(chosen(one)).toBe('b')
    expect(chosen(choose(one, ids, 3, { add: true }))).toBe('bd')
    const range = choose(one, ids, 3, { range: true })
    expect(chosen(range)).toBe('bcd')
    expect(chosen(choose(range, ids, 0, { range: true }))).toBe('ab')
    expect(chosen(choose(choose(one, ids, 3, { add: true }), ids, 3, { add: true }))).toBe('b')
    expect(choose(one, ids, 9)).toBe(one)
  })

  test('goes with the keys and stops at both ends', () => {
    const first = step(NONE, ids, 1, false)
    expect([chosen(first), first.active]).toEqual(['a', 0])
    expect(chosen(step(first, ids, -1, false))).toBe('a')
    expect(chosen(step(step(first, ids, 1, true), ids, 1, true))).toBe('abc')
    expect(chosen(step(first, ids, 1_000_000, false))).toBe('e')
    expect(chosen(chooseAll(first, ids))).toBe('abcde')
  })

  test('follows the list when it changes', () => {
    const two = choose(choose(NONE, ids, 1), ids, 3, { add: true })
    const kept = keepChosen(two, ids, ['x', 'd', 'e'])
    expect([chosen(kept), kept.active]).toEqual(['d', 1])
    expect(keepChosen(two, ids, ['a']).active).toBe(0)
    expect(keepChosen(NONE, ids, []).active).toBe(-1)
  })
})

test('keys mean the same on every layout, and nothing with Alt', () => {
  const press = (key: string, code: string, held: object = {}) =>
    keyAct({ key, code, ctrlKey: false, metaKey: false, shiftKey: false, altKey: false, ...held }, 4)
  expect(press('ф', 'KeyA', { ctrlKey: true })).toEqual({ do: 'all' })
  expect(press('v', 'KeyV', { metaKey: true })).toEqual({ do: 'paste' })
  expect(press('v', 'KeyV')).toBeNull()
  expect(press('ArrowDown', 'ArrowDown', { shiftKey: true })).toEqual({ do: 'step', by: 4, range: true })
  expect(press('ArrowDown', 'ArrowDown', { altKey: true })).toBeNull()
})

test('an address says what was asked for and takes nonsense for nothing', () => {
  const asked = { ...START, folder: 'f', kind: 'video', min: 10 * 1024 ** 2, sort: 'size', dir: 'desc' } as const
  expect(askedOf(new URL(addressOf(asked), 'http://x').searchParams)).toEqual(asked)
  expect(askedOf(new URLSearchParams('kind=all&use=x&min=7&sort=mime-up&trash=yes'))).toEqual(START)
  expect(addressOf(START)).toBe('/storage')
})

test('says how long a film is and how many days are left', () => {
  expect([lengthOf(0), lengthOf(65), lengthOf(3723)]).toEqual(['0:00', '1:05', '1:02:03'])
  const now = Date.parse('2026-11-21T12:00:00Z')
  expect(daysLeft('2026-11-21T12:00:00Z', now)).toBe(30)
  expect(daysLeft('2026-10-22T13:00:00Z', now)).toBe(1)
  expect(daysLeft('2026-01-01T00:00:00Z', now)).toBe(0)
})
