import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createUplink } from '#islands/broadcast/uplink.ts'
import { CallError } from '#islands/stores/call-error.ts'
import { fakeBrowser, line, realBrowser } from './fake-connection.ts'

let reported: unknown[]
beforeEach(() => {
  reported = fakeBrowser().reported
})
afterEach(realBrowser)

function uplink(token: () => Promise<string>) {
  const states: string[] = []
  const way = { endpoint: 'https://example.net/whip', token, kind: 'camera' as const, iceServers: [] }
  return {
    states,
    ...createUplink({ ...way, tracks: { audio: null, video: null }, onState: (state) => states.push(state) }),
  }
}

test('a token request is retried while the server restarts', async () => {
  const failures = [
    new CallError('unreachable', 0, ''),
    new CallError('internal', 502, ''),
    new TypeError('no network'),
  ]
  const { states, open, close } = uplink(async () => {
    const failure = failures.shift()
    if (failure) throw failure
    return 'stream-token'
  })
  await open()
  await vi.advanceTimersByTimeAsync(5000)
  expect(states).toEqual(['reconnecting', 'reconnecting', 'reconnecting', 'live'])
  close()
})

test('a refused token ends it', async () => {
  const getToken = vi.fn(async () => {
    throw new CallError('forbidden', 403, '')
  })
  const { states, open, close } = uplink(getToken)
  await open()
  await vi.advanceTimersByTimeAsync(60_000)
  expect([states, getToken.mock.calls.length]).toEqual([['refused'], 1])
  close()
})

test('an unexpected error is reported and retried', async () => {
  const odd = new TypeError('an answer that is none')
  line.answer = () => {
    if (line.offers === 1) throw odd
  }
  const { states, open, close } = uplink(async () => 'stream-token')
  await open()
  await vi.advanceTimersByTimeAsync(1000)
  expect([states, reported]).toEqual([['reconnecting', 'live'], [odd]])
  close()
})
