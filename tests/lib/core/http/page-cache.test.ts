import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { brotliDecompressSync } from 'node:zlib'
import pino from 'pino'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { cacheSecondsOf, createPageCache, type PageCache, type StoredPage } from '#lib/core/http/page-cache.ts'
import { createServer, type HttpServer } from '#lib/core/http/server.ts'

let httpServer: HttpServer
let pages: PageCache
let port = 0
let rendered = 0
let answer: { status: number; headers: http.OutgoingHttpHeaders }
let now = 0
const BODY = '<p>Вхід до кабінету</p>'.repeat(100)
const CACHEABLE_HEADERS = {
  'content-type': 'text/html',
  'cache-control': 'public, max-age=0, s-maxage=60',
  'content-security-policy': "default-src 'self'",
}

beforeEach(async () => {
  rendered = 0
  now = 0
  answer = { status: 200, headers: CACHEABLE_HEADERS }
  pages = createPageCache({ maxPages: 4, now: () => now })
  const handler = (_request: http.IncomingMessage, response: http.ServerResponse) => {
    rendered += 1
    response.writeHead(answer.status, answer.headers)
    response.write(BODY)
    response.end(String(rendered))
  }
  httpServer = createServer(handler, {
    log: pino({ level: 'silent' }),
    trustProxy: false,
    isHttps: false,
    findOutage: async () => null,
    pageCache: pages,
  })
  httpServer.server.listen(0, '127.0.0.1')
  await once(httpServer.server, 'listening')
  port = (httpServer.server.address() as AddressInfo).port
})

afterEach(() => httpServer.drain(50))

const renderedPage = (maxAgeSeconds: number) => ({
  headers: CACHEABLE_HEADERS,
  body: Buffer.from(BODY),
  maxAgeSeconds,
  generation: 0,
})

test('another process takes over a page, unless its own version is newer', async () => {
  const stored: StoredPage[] = []
  const own = createPageCache({ now: () => now, onStored: (page) => stored.push(page) })
  const other = createPageCache({ now: () => now })
  own.store('key', renderedPage(60))
  await vi.waitFor(() => expect(stored).toHaveLength(1))
  const [page] = structuredClone(stored)
  if (!page) throw new Error('no page')
  other.adopt(page)
  expect(other.size).toBe(1)
  expect(page.entry.br).toBeDefined()

  other.store('newer', renderedPage(120))
  other.adopt({ ...page, key: 'newer' })
  now = 61_000
  other.adopt({ ...page, key: 'expired' })
  expect(other.size).toBe(2)
})

test('a cleared cache renders again, and stores no page that was being rendered before', async () => {
  await requestPath('/login')
  const { generation } = pages
  pages.clear()
  expect((await requestPath('/login')).text).toBe(`${BODY}2`)
  pages.store('late', { ...renderedPage(60), generation })
  expect(pages.size).toBe(1)
})

test('renders a public page once and serves further requests from memory, headers included', async () => {
  const first = await requestPath('/login')
  const second = await requestPath('/login')
  expect([first.text, second.text]).toEqual([`${BODY}1`, `${BODY}1`])
  for (const { headers } of [first, second]) {
    expect(headers).toMatchObject({
      'content-security-policy': "default-src 'self'",
      'cache-control': 'private, no-cache',
      'x-content-type-options': 'nosniff',
    })
  }
  expect(first.headers['x-request-id']).not.toBe(second.headers['x-request-id'])
})

test('separates languages, themes and hosts', async () => {
  const kinds = ['', 'locale=uk', 'theme=system', 'a=b; theme=system;locale=uk']
  for (const cookie of kinds) expect((await requestPath('/', { cookie })).text).toBe(`${BODY}1`)
  expect((await requestPath('/', { cookie: 'locale=en' })).text).toBe(`${BODY}2`)
  expect((await requestPath('/', { cookie: 'a=b; locale=en; theme=night' })).text).toBe(`${BODY}3`)
  expect((await requestPath('/', { host: 'demo.kafedra.localhost' })).text).toBe(`${BODY}4`)
  expect((await requestPath('/', { cookie: 'theme=system; locale=en' })).text).toBe(`${BODY}2`)
})

test('separates visitors to whom a page offers another language, in one version for each offer', async () => {
  const request = async (language: string, headers: Record<string, string> = {}) =>
    (await requestPath('/', { 'accept-language': language, ...headers })).text
  for (const language of ['uk', 'uk-UA,en;q=0.5', '*', '']) expect(await request(language)).toBe(`${BODY}1`)
  for (const language of ['en', 'en-US,en;q=0.9', 'pl,en;q=0.8', 'de']) expect(await request(language)).toBe(`${BODY}2`)
  // A chosen language is offered no other one.
  expect(await request('en', { cookie: 'locale=uk' })).toBe(`${BODY}1`)
})

test.each([
  ['a signed-in visit', '/', { cookie: 'locale=uk; token=abc' }],
  ['a bearer', '/', { authorization: 'Bearer abc' }],
  ['a query', '/?return=/courses', {}],
  ['a language said twice', '/', { cookie: 'locale=uk; locale=en' }],
  ['an unknown language', '/', { cookie: 'locale=xx' }],
  ['an unknown theme', '/', { cookie: 'theme=pink' }],
  ['a language that the renderer decodes', '/', { cookie: 'locale=%65n' }],
  ['a theme that the renderer decodes', '/', { cookie: 'theme=nigh%74' }],
  ['a language that the renderer unquotes', '/', { cookie: 'locale="en"' }],
  ['a name that only looks like the one of the language', '/', { cookie: '\u00a0locale=en' }],
  ['a value with a space that the renderer keeps', '/', { cookie: 'locale=en\u00a0' }],
])('never caches %s', async (_what, target, headers) => {
  expect((await requestPath(target, headers)).text).toBe(`${BODY}1`)
  expect((await requestPath(target, headers)).text).toBe(`${BODY}2`)
  expect((await requestPath('/')).text).toBe(`${BODY}3`)
})

test('stores only a 200 with s-maxage and without cookies', () => {
  expect(cacheSecondsOf(200, CACHEABLE_HEADERS)).toBe(60)
  expect(cacheSecondsOf(404, CACHEABLE_HEADERS)).toBe(0)
  expect(cacheSecondsOf(200, { 'cache-control': 'public, max-age=60' })).toBe(0)
  expect(cacheSecondsOf(200, { ...CACHEABLE_HEADERS, 'set-cookie': ['a=b'] })).toBe(0)
})

test('does not store the page of an unknown host', async () => {
  answer.status = 404
  await requestPath('/', { host: 'nobody.kafedra.localhost' })
  await requestPath('/', { host: 'nobody.kafedra.localhost' })
  expect(rendered).toBe(2)
})

test('expires', async () => {
  await requestPath('/')
  now = 60_001
  expect((await requestPath('/')).text).toBe(`${BODY}2`)
})

test('answers 304 to a matching ETag, and HEAD without a body', async () => {
  await requestPath('/')
  const { headers } = await requestPath('/')
  const again = await requestPath('/', { 'if-none-match': String(headers.etag) })
  expect([again.status, again.text]).toEqual([304, ''])
  const head = await requestPath('/', {}, 'HEAD')
  expect([head.status, head.text, head.headers['content-length']]).toEqual([200, '', headers['content-length']])
  expect((await requestPath('/', {}, 'POST')).text).toBe(`${BODY}2`)
})

test('serves compressed variants', async () => {
  await requestPath('/')
  await expect.poll(async () => (await requestPath('/', { 'accept-encoding': 'br' })).headers.etag).toBeDefined()
  const packed = await requestPath('/', { 'accept-encoding': 'gzip, br' })
  expect(packed.headers).toMatchObject({ 'content-encoding': 'br', vary: 'Accept-Encoding, Accept-Language, Cookie' })
  expect(brotliDecompressSync(packed.body).toString()).toBe(`${BODY}1`)
})

test.each([
  ['gzip, br;q=0', 'gzip'],
  ['br;q=0', undefined],
  ['br;q=0.001, gzip;q=0.5', 'gzip'],
  ['*;q=0', undefined],
  ['x-br, brotli', undefined],
])('serves a cached page for Accept-Encoding "%s" as %s', async (accepted, encoding) => {
  await requestPath('/')
  await expect
    .poll(async () => (await requestPath('/', { 'accept-encoding': 'br' })).headers['content-encoding'])
    .toBe('br')
  expect((await requestPath('/', { 'accept-encoding': accepted })).headers['content-encoding']).toBe(encoding)
})

test('forbids proxies to store a page that it does not store itself', async () => {
  for (const headers of [{ cookie: 'locale=xx' }, { cookie: 'token=abc' }]) {
    expect((await requestPath('/', headers)).headers['cache-control']).toBe('private, no-cache')
  }
})

test('evicts the least recently used page', async () => {
  for (const target of ['/1', '/2', '/3', '/4']) await requestPath(target)
  await requestPath('/1')
  await requestPath('/5')
  expect(rendered).toBe(5)
  await requestPath('/1')
  expect(rendered).toBe(5)
  await requestPath('/2')
  expect(rendered).toBe(6)
})

interface Answer {
  status: number | undefined
  headers: http.IncomingHttpHeaders
  body: Buffer
  text: string
}

function requestPath(target: string, given: Record<string, string> = {}, method = 'GET'): Promise<Answer> {
  const headers = { host: 'kafedra.localhost', ...given }
  return new Promise((resolve, reject) => {
    const request = http.request(
      { host: '127.0.0.1', port, path: target, method, agent: false, headers },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk) => chunks.push(chunk))
        response.on('end', () => {
          const body = Buffer.concat(chunks)
          resolve({ status: response.statusCode, headers: response.headers, body, text: body.toString() })
        })
      },
    )
    request.on('error', reject)
    request.end()
  })
}
