import { expect, test } from 'vitest'
import { config } from '#lib/core/config/config.ts'
import { countCall } from '#lib/core/http/api/rate-limit.ts'

test('a caller has a number of calls per minute, independent of other callers', () => {
  const now = 1_000_000_000
  for (let n = 0; n < config.apiRate; n++) countCall('one', now)
  expect(() => countCall('one', now + 1000)).toThrow(
    expect.objectContaining({ code: 'too_many', details: expect.objectContaining({ retryAfterSeconds: 59 }) }),
  )
  expect(() => countCall('another', now + 1000)).not.toThrow()
  expect(() => countCall('one', now + 60_000)).not.toThrow()
})
