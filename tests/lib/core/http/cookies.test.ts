import { expect, test } from 'vitest'
import { cookieOf, expiredTokenCookies, tokenOf } from '#lib/core/http/cookies.ts'

test('a cookie is found by its whole name', () => {
  expect(cookieOf('xtoken=1; token=abc; locale=uk', 'token')).toBe('abc')
  expect(cookieOf('a; token = abc ;b=', 'token')).toBe('abc')
  for (const header of [null, undefined, '', 'token', 'token=', 'tokens=abc'])
    expect(cookieOf(header, 'token')).toBeNull()
})

test('a repeated cookie with one value has that value, and with two values none', () => {
  expect(cookieOf('token=abc; token=abc', 'token')).toBe('abc')
  const [own, tossed] = ['o'.repeat(43), 't'.repeat(43)]
  for (const header of [`token=${own}; token=${tossed}`, `token=${tossed}; token=${own}`, `token=${own}; token=`]) {
    expect(tokenOf(null, cookieOf(header, 'token'))).toBeNull()
  }
})

test('a second token cookie set by another host is removed at every possible path, and the own one is kept', () => {
  expect(expiredTokenCookies('token=abc', '/courses')).toEqual([])
  const removed = expiredTokenCookies('token=abc; token=def', '/course/edit/17')
  for (const path of ['/course', '/course/', '/course/edit', '/course/edit/17']) {
    const gone = `token=; Max-Age=0; HttpOnly; SameSite=Lax; Path=${path}`
    expect(removed).toEqual(expect.arrayContaining([gone, `${gone}; Domain=kafedra.localhost`]))
  }
  expect(removed).toContain('token=; Max-Age=0; HttpOnly; SameSite=Lax; Path=/')
  expect(removed).not.toContain('token=; Max-Age=0; HttpOnly; SameSite=Lax; Path=/; Domain=kafedra.localhost')
  expect(expiredTokenCookies('token=a; token=b', '/x;Domain=evil/%0d%0a').join()).not.toContain('evil')
})
