import { describe, expect, test } from 'vitest'
import { IdKey, InstantKey, NumberKey, readAllPages, readCursor, writeCursor } from '#lib/core/http/cursor.ts'

const id = '018f4a3e-7c1d-7b2a-9e55-0123456789ab'
const refused = expect.objectContaining({ code: 'invalid' })

describe('a keyset cursor', () => {
  test('contains the sort key of a row and no other field', () => {
    const row = { at: '1763800000123456', id, title: 'Курс' }
    expect(readCursor(InstantKey, writeCursor(InstantKey, row))).toEqual({ at: '1763800000123456', id })
  })

  test('is omitted for the first page', () => {
    expect(readCursor(IdKey, undefined)).toBeNull()
    expect(readCursor(IdKey, '')).toBeNull()
  })

  test.each([
    ['nonsense', 'сміття'],
    ['that of another list', writeCursor(NumberKey, { number: 1, id })],
    ['an instant that is no number', Buffer.from(JSON.stringify({ at: "1'--", id })).toString('base64url')],
    ['a bare id', id],
    ['no object', Buffer.from('null').toString('base64url')],
  ])('is refused when it is %s', (_, cursor) => {
    expect(() => readCursor(InstantKey, cursor)).toThrow(refused)
  })
})

test('all pages of a list are read one after another, until one has no next', async () => {
  const pages = new Map<string | undefined, { items: number[]; next: string | null }>([
    [undefined, { items: [1, 2], next: 'b' }],
    ['b', { items: [3], next: 'c' }],
    ['c', { items: [], next: null }],
  ])
  const read = await Array.fromAsync(readAllPages(async (cursor) => pages.get(cursor) ?? { items: [], next: null }))
  expect(read).toEqual([[1, 2], [3], []])
})
