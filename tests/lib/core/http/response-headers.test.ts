import { expect, test } from 'vitest'
import { preventCaching } from '#lib/core/http/response-headers.ts'

const cacheControlOf = (actor: object | null, headers: Record<string, string>) =>
  preventCaching({ actor }, new Response('', { headers })).headers.get('cache-control')

const PAGE = { 'content-type': 'text/html; charset=utf-8' }
const PUBLIC = { 'cache-control': 'public, max-age=60' }

test.each([
  ['a page', PAGE],
  ['a page that is public for visitors', { ...PAGE, ...PUBLIC }],
  ['an API response', { 'content-type': 'application/json' }],
])('%s of a signed-in user is stored by no cache', (_, headers) => {
  expect(cacheControlOf({}, headers)).toBe('private, no-store')
})

test('files set their own caching, and pages of visitors keep theirs', () => {
  expect(cacheControlOf({}, { 'content-type': 'image/png', ...PUBLIC })).toBe('public, max-age=60')
  expect(cacheControlOf(null, { ...PAGE, ...PUBLIC })).toBe('public, max-age=60')
})
