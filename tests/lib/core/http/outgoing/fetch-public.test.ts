import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fetchPublicText } from '#lib/core/http/outgoing/fetch-public.ts'

let server: http.Server
let origin: string
let requests = 0

beforeAll(async () => {
  server = http.createServer((request, response) => {
    requests += 1
    const redirect = (location: string) => response.writeHead(302, { location }).end()
    if (request.url === '/text') {
      if (request.headers['if-none-match'] === '"1"') return response.writeHead(304).end()
      return response.writeHead(200, { etag: '"1"' }).end('Слова')
    }
    if (request.url === '/utf-16') return response.writeHead(200).end(Buffer.from('\ufeffСлова', 'utf16le'))
    // «Слова» in Windows-1251.
    if (request.url === '/cp1251') return response.writeHead(200).end(Buffer.from('d1ebeee2e0', 'hex'))
    if (request.url === '/moved') return redirect('/text')
    if (request.url === '/loop') return redirect('/loop')
    if (request.url === '/inside') return redirect('http://10.0.0.1/secret')
    if (request.url === '/file') return redirect('file:///etc/passwd')
    if (request.url === '/huge') return response.writeHead(200).end(Buffer.alloc(300_000, 'a'))
    if (request.url === '/packed') return response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('a'))
    if (request.url === '/slow') return response.writeHead(200).write('a')
    return response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const LIMITS = { maxBytes: 100_000, timeoutMs: 1500 }
// The test server is the only address inside that is allowed.
const isAllowed = (address: string) => address === '127.0.0.1'
const fetchPath = (path: string, etag: string | null = null) =>
  fetchPublicText(`${origin}${path}`, { ...LIMITS, etag, isAllowed })

test('returns a text with its ETag, and nothing while it is unchanged', async () => {
  expect(await fetchPath('/text')).toEqual({ text: 'Слова', etag: '"1"' })
  expect(await fetchPath('/moved')).toEqual({ text: 'Слова', etag: '"1"' })
  expect(await fetchPath('/text', '"1"')).toEqual({ unchanged: true })
})

test.each(['/utf-16', '/cp1251'])('decodes %s', async (path) => {
  expect(await fetchPath(path)).toEqual({ text: 'Слова', etag: null })
})

test.each([
  ['/missing', 'refused'],
  ['/packed', 'refused'],
  ['/huge', 'too_large'],
  ['/slow', 'silent'],
  ['/loop', 'redirects'],
  ['/inside', 'private'],
  ['/file', 'not_web'],
])('reports %s as %s', async (path, error) => {
  expect(await fetchPath(path)).toEqual({ error })
})

test.each([
  '127.0.0.1',
  'localhost',
  '[::1]',
  '[::ffff:127.0.0.1]',
  '2130706433',
  '0x7f.1',
  '169.254.169.254',
  '192.168.1.1',
])('contacts nothing at %s', async (host) => {
  const before = requests
  const address = `http://${host}:${new URL(origin).port}/text`
  expect(await fetchPublicText(address, LIMITS)).toEqual({ error: 'private' })
  expect(requests).toBe(before)
})

test.each(['ftp://calendar.test/a', 'https://user:word@calendar.test/a', 'nothing'])('refuses %s', async (address) => {
  expect(await fetchPublicText(address, LIMITS)).toEqual({ error: 'not_web' })
})
