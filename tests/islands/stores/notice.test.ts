import { beforeEach, expect, test } from 'vitest'
import { $notices, dismiss, fail, notify, succeed, TOAST_MILLISECONDS } from '#islands/stores/notice.ts'

beforeEach(() => $notices.set([]))

test('shows success for 5000 ms and keeps errors until they are closed', () => {
  succeed('Saved')
  fail()
  expect(TOAST_MILLISECONDS).toBe(5000)
  expect($notices.get().map(({ kind, lasts }) => [kind, lasts])).toEqual([
    ['success', 5000],
    ['error', null],
  ])
})

test('shows at most three, the newest', () => {
  for (const text of ['a', 'b', 'c', 'd']) notify('info', text)
  expect($notices.get().map(({ text }) => text)).toEqual(['b', 'c', 'd'])
})

test('does not repeat the same words', () => {
  fail('Lost')
  fail('Lost')
  expect($notices.get()).toHaveLength(1)
})

test('closes the one that is asked for', () => {
  const first = succeed('a')
  succeed('b')
  dismiss(first)
  expect($notices.get().map(({ text }) => text)).toEqual(['b'])
})
