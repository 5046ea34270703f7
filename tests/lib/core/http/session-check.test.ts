import { expect, test } from 'vitest'
import { CACHE_TTL_SECONDS, cacheSessionCheck } from '#lib/core/files/session-check.ts'

test('checks once for many parts, and again after a short time', async () => {
  let now = 0
  let alive = true
  let requestCount = 0
  const check = cacheSessionCheck(
    async () => {
      requestCount += 1
      return alive
    },
    () => now,
  )
  for (let piece = 0; piece < 100; piece++) expect(await check('token', 'school')).toBe(true)
  expect(requestCount).toBe(1)
  alive = false
  expect(await check('token', 'another school')).toBe(false)
  now = CACHE_TTL_SECONDS * 1000
  expect(await check('token', 'school')).toBe(false)
})

test('does not cache a failed check', async () => {
  const answers = [Promise.reject(new Error('the database is away')), Promise.resolve(true)]
  const check = cacheSessionCheck(() => answers.shift() ?? Promise.resolve(false))
  await expect(check('token', 'school')).rejects.toThrow('away')
  expect(await check('token', 'school')).toBe(true)
})
