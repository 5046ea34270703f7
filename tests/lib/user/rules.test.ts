import fc from 'fast-check'
import { expect, test } from 'vitest'
import { deviceOf, findPasswordProblems, safeReturnPath, suggestEmail } from '#lib/user/rules.ts'

test.each([
  ['Abcdef1!', []],
  ['abcdef1!', ['password_upper']],
  ['ABCDEF1!', ['password_lower']],
  ['Abcdefg!', ['password_digit']],
  ['Abcdefg1', ['password_special']],
  ['Аbвгґдє1', ['password_upper', 'password_special']],
  ['Ab1!', ['password_short']],
  ['', ['password_short', 'password_lower', 'password_upper', 'password_digit', 'password_special']],
  ['Ab1 cdefg', ['password_special']],
  ['🙂🙂Ab1', ['password_short']],
])('the password %j breaks %j', (password, problems) => {
  expect(findPasswordProblems(password)).toEqual(problems)
})

test('suggests corrections of well-known domains only', () => {
  expect(suggestEmail('olena@gmial.com')).toBe('olena@gmail.com')
  expect(suggestEmail('olena@gmail.con')).toBe('olena@gmail.com')
  expect(suggestEmail('olena@ukr.ner')).toBe('olena@ukr.net')
  expect(suggestEmail('olena@mta.ua')).toBe('olena@meta.ua')
  expect(suggestEmail('a@gmial.com')).toBe('a@gmail.com')
  for (const right of [
    'olena@gmail.com',
    'olena@kafedra.test',
    'olena@',
    'olena',
    '',
    '@gmial.com',
    'a@ui.ua',
    'a@metx.uz',
    'a@il.com',
  ]) {
    expect(suggestEmail(right)).toBeNull()
  }
})

const site = { baseDomain: 'kafedra.localhost', scheme: 'http', portSuffix: ':4321' }

test.each([
  '/courses',
  '/course/edit/1?tab=a%20b#lesson-2',
  '/?q=%2F%2Fevil.com',
  'http://demo.kafedra.localhost:4321/courses?x=1#y',
  'http://kafedra.localhost:4321/',
  '/course//lessons',
  '/help/login',
  '/login-help',
  `/${'a'.repeat(1999)}`,
])('returns to %s', (wish) => {
  expect(safeReturnPath(wish, site)).toBe(wish)
})

test.each([
  '',
  undefined,
  '//evil.com',
  '//own.invalid/courses',
  '/\\evil.com',
  '\\\\evil.com',
  '/\t/evil.com',
  '/\n/evil.com',
  'https://evil.com',
  'http://kafedra.localhost.evil.com:4321/',
  'http://evilkafedra.localhost:4321/',
  'http://kafedra.localhost:4321@evil.com/',
  'http://user@demo.kafedra.localhost:4321/',
  'https://demo.kafedra.localhost:4321/',
  'http://demo.kafedra.localhost/',
  'http://demo.kafedra.localhost:80/',
  'javascript:alert(1)',
  'data:text/html,x',
  ' /courses',
  '/login?return=/login',
  '/logout',
  'courses',
  `/${'a'.repeat(2000)}`,
])('does not return to %j', (wish) => {
  expect(safeReturnPath(wish, site)).toBeNull()
})

test('returns to a host on the usual port', () => {
  const wish = 'https://demo.kafedra.ua/courses'
  expect(safeReturnPath(wish, { baseDomain: 'kafedra.ua', scheme: 'https', portSuffix: '' })).toBe(wish)
})

test('any requested return address stays on our hosts', () => {
  const tricky = fc.string({
    unit: fc.constantFrom('/', '\\', '.', ':', '@', '#', '?', '%', '\t', '\n', ' ', 'e', 'http', '//', 'evil.com'),
  })
  fc.assert(
    fc.property(fc.oneof(tricky, fc.webUrl(), fc.string({ unit: 'binary' })), (wish) => {
      const safe = safeReturnPath(wish, site)
      if (safe === null) return
      const { hostname, protocol } = new URL(safe, 'http://demo.kafedra.localhost:4321/login')
      expect(hostname === 'kafedra.localhost' || hostname.endsWith('.kafedra.localhost')).toBe(true)
      expect(protocol).toBe('http:')
    }),
    { numRuns: 2000 },
  )
})

test('names browsers by their common names', () => {
  const chrome = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'
  expect(deviceOf(chrome)).toEqual({ browser: 'Chrome', system: 'Linux' })
  expect(deviceOf(`${chrome} Edg/140.0`)).toMatchObject({ browser: 'Edge' })
  expect(deviceOf('curl/8')).toBeNull()
  expect(deviceOf('Firefox/140')).toBeNull()
  expect(deviceOf(null)).toBeNull()
})
