import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { postPublic } from '#lib/core/http/outgoing/post-public.ts'

let server: http.Server
let origin: string
const bodies: string[] = []

beforeAll(async () => {
  server = http.createServer((request, response) => {
    if (request.url === '/silent') return
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      bodies.push(`${request.headers['x-name']} ${Buffer.concat(chunks)}`)
      if (request.url === '/moved') return response.writeHead(302, { location: '/text' }).end()
      // The body is longer than what anybody would read.
      return response.writeHead(200).write('a'.repeat(1_000_000))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

// The test server is the only address inside that is allowed.
const isAllowed = (address: string) => address === '127.0.0.1'
const post = (address: string, more: object = {}) =>
  postPublic(address, { body: 'Слова', headers: { 'x-name': 'a' }, timeoutMs: 1000, isAllowed, ...more })

test('a text is posted with its headers; a redirect is not followed', async () => {
  expect(await post(`${origin}/text`)).toEqual({ status: 200 })
  expect(await post(`${origin}/moved`)).toEqual({ status: 302 })
  expect(bodies).toEqual(['a Слова', 'a Слова'])
})

test('addresses inside a network, other protocols and silence have no response', async () => {
  expect(await post(`${origin}/silent`)).toEqual({ error: 'silent' })
  for (const address of ['ftp://127.0.0.1/', 'javascript:alert(1)', 'слова'])
    expect(await post(address)).toEqual({ error: 'not_web' })
  for (const address of [
    'http://10.0.0.1/',
    'http://169.254.169.254/latest',
    'http://[::1]/',
    'http://localhost/',
    'http://2130706433/',
  ])
    expect({ address, result: await postPublic(address, { body: '', headers: {}, timeoutMs: 1000 }) }).toEqual({
      address,
      result: { error: 'private' },
    })
})
