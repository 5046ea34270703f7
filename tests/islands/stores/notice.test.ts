import { beforeEach, expect, test } from 'vitest'
import { $notices, dismissNotice, showFailure, showNotice, showSuccess, TOAST_MS } from '#islands/stores/notice.ts'

beforeEach(() => $notices.set([]))

test('shows success for 5000 ms and keeps errors until they are closed', () => {
  showSuccess('Saved')
  showFailure()
  expect(TOAST_MS).toBe(5000)
  expect($notices.get().map(({ kind, durationMs: lasts }) => [kind, lasts])).toEqual([
    ['success', 5000],
    ['error', null],
  ])
})

test('shows at most three, the newest', () => {
  for (const text of ['a', 'b', 'c', 'd']) showNotice('info', text)
  expect($notices.get().map(({ text }) => text)).toEqual(['b', 'c', 'd'])
})

test('does not repeat the same message', () => {
  showFailure('Lost')
  showFailure('Lost')
  expect($notices.get()).toHaveLength(1)
})

test('closes the requested notice', () => {
  const first = showSuccess('a')
  showSuccess('b')
  dismissNotice(first)
  expect($notices.get().map(({ text }) => text)).toEqual(['b'])
})
