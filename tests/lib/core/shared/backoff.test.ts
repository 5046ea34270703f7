import fc from 'fast-check'
import { expect, test } from 'vitest'
import { backoffMs } from '#lib/core/shared/backoff.ts'

test('doubles the wait after each failure, up to a limit', () => {
  const waits = [1, 2, 3, 4, 5, 6].map((failures) => backoffMs(failures, { firstMs: 500, maxMs: 5000 }))
  expect(waits).toEqual([500, 1000, 2000, 4000, 5000, 5000])
})

test('stays within its jitter, however often it fails', () => {
  fc.assert(
    fc.property(fc.integer({ min: 5, max: 5000 }), (failures) => {
      const wait = backoffMs(failures, { firstMs: 500, maxMs: 5000, jitter: 0.25 })
      expect(wait).toBeGreaterThanOrEqual(3750)
      expect(wait).toBeLessThanOrEqual(6250)
    }),
  )
})
