import { describe, expect, test } from 'vitest'
import { keyAction } from '#islands/storage/browser/key-action.ts'
import { EMPTY_QUERY, listingUrl, parseQuery } from '#islands/storage/browser/listing-query.ts'
import { keepSelected, moveActive, NO_SELECTION, selectAllFiles, selectAt } from '#islands/storage/browser/selection.ts'
import { daysLeft } from '#islands/storage/file-text.ts'

const ids = ['a', 'b', 'c', 'd', 'e']
const selected = (selection: { selected: ReadonlySet<string> }) => [...selection.selected].join('')

describe('the selection', () => {
  test('is one item by a click, more with Ctrl, a range with Shift from its start', () => {
    const single = selectAt(NO_SELECTION, ids, 1)
    expect(selected(single)).toBe('b')
    expect(selected(selectAt(single, ids, 3, { add: true }))).toBe('bd')
    const range = selectAt(single, ids, 3, { range: true })
    expect(selected(range)).toBe('bcd')
    expect(selected(selectAt(range, ids, 0, { range: true }))).toBe('ab')
    expect(selected(selectAt(selectAt(single, ids, 3, { add: true }), ids, 3, { add: true }))).toBe('b')
    expect(selectAt(single, ids, 9)).toBe(single)
  })

  test('follows the arrow keys and stops at both ends', () => {
    const first = moveActive(NO_SELECTION, ids, 1, false)
    expect([selected(first), first.active]).toEqual(['a', 0])
    expect(selected(moveActive(first, ids, -1, false))).toBe('a')
    expect(selected(moveActive(moveActive(first, ids, 1, true), ids, 1, true))).toBe('abc')
    expect(selected(moveActive(first, ids, 1_000_000, false))).toBe('e')
    expect(selected(selectAllFiles(first, ids))).toBe('abcde')
  })

  test('follows the list when it changes', () => {
    const two = selectAt(selectAt(NO_SELECTION, ids, 1), ids, 3, { add: true })
    const kept = keepSelected(two, ids, ['x', 'd', 'e'])
    expect([selected(kept), kept.active]).toEqual(['d', 1])
    expect(keepSelected(two, ids, ['a']).active).toBe(0)
    expect(keepSelected(NO_SELECTION, ids, []).active).toBe(-1)
  })
})

test('keys mean the same on every layout, and nothing with Alt', () => {
  const press = (key: string, code: string, modifiers: object = {}) =>
    keyAction({ key, code, ctrlKey: false, metaKey: false, shiftKey: false, altKey: false, ...modifiers }, 4)
  expect(press('ф', 'KeyA', { ctrlKey: true })).toEqual({ do: 'all' })
  expect(press('v', 'KeyV', { metaKey: true })).toEqual({ do: 'paste' })
  expect(press('v', 'KeyV')).toBeNull()
  expect(press('ArrowDown', 'ArrowDown', { shiftKey: true })).toEqual({ do: 'step', by: 4, range: true })
  expect(press('ArrowDown', 'ArrowDown', { altKey: true })).toBeNull()
})

test('the URL contains the filters, and invalid ones are ignored', () => {
  const query = { ...EMPTY_QUERY, folder: 'f', kind: 'video', min: 10 * 1024 ** 2, sort: 'size', dir: 'desc' } as const
  expect(parseQuery(new URL(listingUrl(query), 'http://x').searchParams)).toEqual(query)
  expect(parseQuery(new URLSearchParams('kind=all&use=x&min=7&sort=mime-up&trash=yes'))).toEqual(EMPTY_QUERY)
  expect(listingUrl(EMPTY_QUERY)).toBe('/storage')
})

test('formats the length of a video and the number of remaining days', () => {
  const now = Date.parse('2026-11-21T12:00:00Z')
  expect(daysLeft('2026-11-21T12:00:00Z', now)).toBe(30)
  expect(daysLeft('2026-10-22T13:00:00Z', now)).toBe(1)
  expect(daysLeft('2026-01-01T00:00:00Z', now)).toBe(0)
})
