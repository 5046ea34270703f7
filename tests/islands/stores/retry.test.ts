import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { CallError } from '#islands/stores/call-error.ts'
import { retryUntilAccepted } from '#islands/stores/retry.ts'

const gone = () => new CallError('unreachable', 0, '')

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('window', new EventTarget())
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

/** Fails with each of these errors in turn, then succeeds. */
function failing(...errors: Error[]) {
  const attempt = vi.fn(async () => {
    const error = errors.shift()
    if (error) throw error
    return 'answer'
  })
  return attempt
}

test('retries after a lost network, a starting server and an expired session', async () => {
  const waits: string[] = []
  const attempt = failing(gone(), new CallError('internal', 503, ''), new CallError('unauthorized', 401, ''))
  const answer = retryUntilAccepted(attempt, { onWait: (want) => waits.push(want) })
  await vi.advanceTimersByTimeAsync(10_000)
  expect(await answer).toBe('answer')
  expect(waits).toEqual(['offline', 'offline', 'signedOut'])
})

test('never gives up, and waits longer each time, up to about half a minute', async () => {
  const attempt = vi.fn(async () => {
    throw gone()
  })
  const stop = new AbortController()
  const answer = retryUntilAccepted(attempt, { signal: stop.signal, onWait: () => undefined }).catch(() => 'called off')
  await vi.advanceTimersByTimeAsync(3_600_000)
  expect(attempt.mock.calls.length).toBeGreaterThan(3600 / 37.5)
  expect(attempt.mock.calls.length).toBeLessThan(3600 / 22.5 + 10)
  stop.abort()
  expect(await answer).toBe('called off')
})

test('continues at once when the network or the session is back', async () => {
  const attempt = failing(gone(), gone(), gone(), gone(), gone(), gone())
  const answer = retryUntilAccepted(attempt, { onWait: () => undefined })
  for (const name of ['online', 'focus', 'online', 'online', 'focus', 'online']) {
    await vi.advanceTimersByTimeAsync(0)
    window.dispatchEvent(new Event(name))
  }
  await vi.advanceTimersByTimeAsync(0)
  expect(await answer).toBe('answer')
})

test('a repeated server error is not treated as a lost network: it ends the attempts', async () => {
  const fault = new CallError('internal', 500, '')
  const attempt = failing(fault, fault, fault, fault)
  const answer = retryUntilAccepted(attempt, { onWait: () => undefined }).catch((error: unknown) => error)
  await vi.advanceTimersByTimeAsync(3_600_000)
  expect(await answer).toBe(fault)
  expect(attempt).toHaveBeenCalledTimes(3)
})

test('waits for the time given by the server, whatever happens to the network', async () => {
  const attempt = failing(new CallError('too_many', 429, '', { retryAfterSeconds: 20 }))
  const answer = retryUntilAccepted(attempt, { onWait: () => undefined })
  await vi.advanceTimersByTimeAsync(19_000)
  window.dispatchEvent(new Event('online'))
  await vi.advanceTimersByTimeAsync(0)
  expect(attempt).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(1000)
  expect(await answer).toBe('answer')
})

test('a missing session is a refusal of calls with a separate token', async () => {
  const refusal = new CallError('unauthorized', 401, '')
  const answer = retryUntilAccepted(failing(refusal), { waitsForSignIn: false, onWait: () => undefined })
  await expect(answer).rejects.toBe(refusal)
})

test('a refusal ends the attempts', async () => {
  const refusal = new CallError('unprocessable', 422, 'Немає місця')
  await expect(retryUntilAccepted(failing(refusal), { onWait: () => undefined })).rejects.toBe(refusal)
})

test('does not wait for a full disk', async () => {
  const full = new CallError('disk_full', 507, 'no space')
  await expect(retryUntilAccepted(failing(full), { onWait: () => undefined })).rejects.toBe(full)
})
