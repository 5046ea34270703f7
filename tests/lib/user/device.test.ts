import { expect, test } from 'vitest'
import { addKnownDevice, findKnownDevice } from '#lib/user/device.ts'

const DAY = 86_400_000

test('a device keeps its id for an account, and is recognized for the three that signed in last', () => {
  let cookie: string | null = null
  for (const userId of ['a', 'b', 'c']) cookie = addKnownDevice(cookie, userId)
  const id = findKnownDevice(cookie, 'a')
  expect(id).toMatch(/^[\w-]{16}$/)
  cookie = addKnownDevice(cookie, 'a')
  expect(findKnownDevice(cookie, 'a')).toBe(id)
  cookie = addKnownDevice(cookie, 'd')
  expect(['a', 'b', 'c', 'd'].filter((userId) => findKnownDevice(cookie, userId))).toEqual(['a', 'c', 'd'])
  expect(new Set(['a', 'c', 'd'].map((userId) => findKnownDevice(cookie, userId))).size).toBe(3)
})

test('a device is forgotten after 400 days without a sign-in', () => {
  const cookie = addKnownDevice(null, 'a', 0)
  expect(findKnownDevice(cookie, 'a', 400 * DAY)).not.toBeNull()
  expect(findKnownDevice(cookie, 'a', 401 * DAY)).toBeNull()
  expect(findKnownDevice(addKnownDevice(cookie, 'a', 399 * DAY), 'a', 500 * DAY)).toBe(
    findKnownDevice(cookie, 'a', DAY),
  )
})

test('the cookie reveals nothing of the account, and a forged one is refused', () => {
  const userId = '0190a7d2-0000-7000-8000-000000000001'
  expect(Buffer.from(addKnownDevice(null, userId), 'base64url').toString('latin1')).not.toContain(userId)
  for (const cookie of [null, undefined, '', '.', 'a.b.c.d', `${userId} id 1`, 'x'.repeat(4000)]) {
    expect(findKnownDevice(cookie, userId)).toBeNull()
  }
})
