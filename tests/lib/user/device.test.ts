import { expect, test } from 'vitest'
import { knownDevice, rememberDevice } from '#lib/user/device.ts'

const DAY = 86_400_000

test('a device keeps its id for an account, and is known for the three that signed in last', () => {
  let cookie: string | null = null
  for (const userId of ['a', 'b', 'c']) cookie = rememberDevice(cookie, userId)
  const id = knownDevice(cookie, 'a')
  expect(id).toMatch(/^[\w-]{16}$/)
  cookie = rememberDevice(cookie, 'a')
  expect(knownDevice(cookie, 'a')).toBe(id)
  cookie = rememberDevice(cookie, 'd')
  expect(['a', 'b', 'c', 'd'].filter((userId) => knownDevice(cookie, userId))).toEqual(['a', 'c', 'd'])
  expect(new Set(['a', 'c', 'd'].map((userId) => knownDevice(cookie, userId))).size).toBe(3)
})

test('a device is forgotten after 400 days without a sign-in', () => {
  const cookie = rememberDevice(null, 'a', 0)
  expect(knownDevice(cookie, 'a', 400 * DAY)).not.toBeNull()
  expect(knownDevice(cookie, 'a', 401 * DAY)).toBeNull()
  expect(knownDevice(rememberDevice(cookie, 'a', 399 * DAY), 'a', 500 * DAY)).toBe(knownDevice(cookie, 'a', DAY))
})

test('the cookie shows nothing of the account, and nothing made up is taken', () => {
  const userId = '0190a7d2-0000-7000-8000-000000000001'
  expect(Buffer.from(rememberDevice(null, userId), 'base64url').toString('latin1')).not.toContain(userId)
  for (const cookie of [null, undefined, '', '.', 'a.b.c.d', `${userId} id 1`, 'x'.repeat(4000)]) {
    expect(knownDevice(cookie, userId)).toBeNull()
  }
})
