import { expect, test } from 'vitest'
import { mergeChanges } from '#lib/core/shared/merge.ts'

const READ = { title: 'A', minutes: 60, chat: { mode: 'open', words: ['x'] } }

test('merges changes of different fields', () => {
  const now = { ...READ, minutes: 90, chat: { mode: 'off', words: ['x'] } }
  const mine = { ...READ, title: 'B', chat: { mode: 'open', words: ['x', 'y'] } }
  expect(mergeChanges(now, READ, mine)).toEqual({
    merged: { title: 'B', minutes: 90, chat: { mode: 'off', words: ['x', 'y'] } },
    conflicts: [],
  })
})

test('lists by path the fields that both changed differently', () => {
  const now = { ...READ, title: 'B', chat: { mode: 'off', words: ['z'] } }
  const mine = { ...READ, title: 'B', chat: { mode: 'premod', words: ['x'] } }
  expect(mergeChanges(now, READ, mine).conflicts).toEqual(['chat.mode'])
})

test('treats a missing base as changed', () => {
  expect(mergeChanges(READ, {}, { ...READ, minutes: 30 }).conflicts).toEqual(['minutes'])
  expect(mergeChanges(READ, {}, READ)).toEqual({ merged: READ, conflicts: [] })
})
