import { expect, test } from 'vitest'
import { createPageRetry } from '#islands/chat/list/page-retry.ts'

test('a page that could not be loaded is requested again by scrolling, with growing pauses and at most five times', () => {
  let now = 0
  const retry = createPageRetry(() => now)
  expect(retry.canRetry()).toBe(true)
  const pauses: number[] = []
  retry.recordFailure()
  for (let requests = 0; requests < 5; requests += 1) {
    const failedAt = now
    while (!retry.canRetry()) now += 500
    pauses.push(now - failedAt)
    retry.recordFailure()
  }
  expect(pauses).toEqual([1000, 2000, 4000, 8000, 16_000])
  now += 3_600_000
  expect(retry.canRetry()).toBe(false)
  // The network has returned.
  retry.recordOnline()
  expect(retry.canRetry()).toBe(true)
  retry.recordFailure()
  expect(retry.canRetry()).toBe(false)
  retry.recordSuccess()
  expect(retry.canRetry()).toBe(true)
})
