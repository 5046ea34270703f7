import { expect, test } from 'vitest'
import { TimedCache } from '#lib/core/timed-cache.ts'

const at = (ms: number) => new Date(ms)

test('keeps a value for its lifetime', () => {
  const cache = new TimedCache<string>({ lifetimeMs: 1000 })
  cache.set('a', 'first', at(0))
  expect(cache.get('a', at(999))).toBe('first')
  expect(cache.get('a', at(1000))).toBeUndefined()
  expect(cache.get('b', at(0))).toBeUndefined()
})

test('forgets the oldest values beyond 5,000', () => {
  const cache = new TimedCache<number>({ lifetimeMs: 1000 })
  for (let n = 0; n <= 5000; n++) cache.set(String(n), n, at(0))
  expect(cache.get('0', at(1))).toBeUndefined()
  expect(cache.get('1', at(1))).toBe(1)
  expect(cache.get('5000', at(1))).toBe(5000)
})
