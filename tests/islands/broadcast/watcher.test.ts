import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createWatcher } from '#islands/broadcast/watcher.ts'
import { CallError } from '#islands/stores/call-error.ts'
import { fakeBrowser, line, realBrowser } from './fake-line.ts'

let reported: unknown[]
beforeEach(() => {
  reported = fakeBrowser().reported
})
afterEach(realBrowser)

const endpoint = 'https://example.net/whep'

function screen(): HTMLVideoElement {
  const video: Partial<HTMLVideoElement> = { muted: false, play: async () => {}, removeAttribute: () => {} }
  return video as HTMLVideoElement
}

function watch(ticket: () => Promise<string>) {
  return createWatcher({ video: screen(), endpoint, ticket, hls: null })
}

test('a ticket that cannot be renewed while the server restarts is asked for until it can', async () => {
  const failures = [
    new CallError('unreachable', 0, ''),
    new CallError('internal', 502, ''),
    new TypeError('no network'),
  ]
  const watcher = watch(async () => {
    const failure = failures.shift()
    if (failure) throw failure
    return 'ticket'
  })
  await vi.advanceTimersByTimeAsync(0)
  expect(watcher.$state.get()).toBe('lost')
  await vi.advanceTimersByTimeAsync(5000)
  expect(watcher.$state.get()).toBe('playing')
  watcher.stop()
})

test('a ticket that is refused ends it, until somebody asks for the stream', async () => {
  const ticket = vi.fn(async () => {
    throw new CallError('forbidden', 403, '')
  })
  const watcher = watch(ticket)
  await vi.advanceTimersByTimeAsync(60_000)
  expect([watcher.$state.get(), ticket.mock.calls.length]).toEqual(['lost', 1])
  watcher.again()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(ticket).toHaveBeenCalledTimes(2)
  watcher.stop()
})

test('what nobody has thought of is reported and tried again', async () => {
  const odd = new TypeError('an answer that is none')
  line.answer = () => {
    if (line.offers === 1) throw odd
  }
  const watcher = watch(async () => 'ticket')
  await vi.advanceTimersByTimeAsync(2000)
  expect([watcher.$state.get(), reported]).toEqual(['playing', [odd]])
  watcher.stop()
})
