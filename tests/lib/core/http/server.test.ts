import { once } from 'node:events'
import fs from 'node:fs'
import http from 'node:http'
import net, { type AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { Writable } from 'node:stream'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import pino from 'pino'
import { afterEach, describe, expect, test } from 'vitest'
import { type AstroHandler, createServer, type HttpServer, type ServerOptions } from '#lib/core/http/server.ts'
import { encodingFor } from '#lib/core/http/static/compress.ts'
import { loadStaticFiles } from '#lib/core/http/static/static-files.ts'

const LONG = `<p>${'Тиша в аудиторії. '.repeat(200)}</p>`
const HTML = { 'content-type': 'text/html; charset=utf-8' }
let httpServer: HttpServer | undefined
let port = 0
let lines: Record<string, unknown>[] = []

afterEach(async () => {
  await httpServer?.drain(50)
  httpServer = undefined
})

describe('the HTTP server', () => {
  test('passes the client address to the renderer, and trusts a proxy only when configured', async () => {
    const handler: AstroHandler = (_request, response, _next, locals) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      const { requestId, address, hostHeader } = locals
      response.end(JSON.stringify({ requestId, address, hostHeader }))
    }
    const forged = {
      host: 'Demo.Kafedra.Localhost:4321',
      'x-forwarded-for': '6.6.6.6, 10.1.1.1',
      'x-forwarded-host': 'go.kafedra.localhost',
      'x-request-id': 'given-by-proxy-1',
    }
    await serve(handler)
    const direct = await requestPath('/', { headers: forged })
    const seen = JSON.parse(direct.text)
    expect(seen).toEqual({
      hostHeader: 'demo.kafedra.localhost:4321',
      address: '127.0.0.1',
      requestId: direct.headers['x-request-id'],
    })
    expect(seen.requestId).not.toBe('given-by-proxy-1')
    await httpServer?.drain(50)
    await serve(handler, { trustProxy: true })
    const proxied = await requestPath('/', { headers: forged })
    expect(JSON.parse(proxied.text)).toEqual({
      hostHeader: 'go.kafedra.localhost',
      address: '10.1.1.1',
      requestId: 'given-by-proxy-1',
    })
  })

  test('sets the security headers on pages, files, refusals and health checks', async () => {
    const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'kafedra-static-'))
    fs.writeFileSync(path.join(directory, 'a.txt'), 'a')
    await serve(page, { isHttps: true, files: loadStaticFiles(directory) })
    for (const target of ['/', '/a.txt', '/%zz', '/healthz']) {
      const { headers } = await requestPath(target)
      expect(headers['x-content-type-options'], target).toBe('nosniff')
      expect(headers['referrer-policy'], target).toBe('strict-origin-when-cross-origin')
      expect(headers['strict-transport-security'], target).toContain('max-age=')
      expect(headers['cross-origin-opener-policy'], target).toBe('same-origin')
      expect(headers['x-request-id'], target).toMatch(/^[a-z0-9]{8}-/)
    }
    fs.rmSync(directory, { recursive: true })
  })

  test.each(['/%zz', '/%00', '/a%0d%0ab', '//evil.test/', '/..%5cetc', 'http://evil.test/'])(
    'refuses the address %s',
    async (target) => {
      await serve(page)
      const { status, text } = await requestPath(target)
      expect(status).toBe(400)
      expect(JSON.parse(text)).toEqual({ code: 'invalid', message: 'invalid', fields: {} })
    },
  )

  test.each(['ev il', 'a..b/', 'user@host', '<script>'])('refuses the host "%s"', async (host) => {
    await serve(page)
    expect((await raw(`GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)).startsWith('HTTP/1.1 400')).toBe(
      true,
    )
  })

  test('refuses a request with two Host headers', async () => {
    await serve(page)
    for (const second of ['Host: a.test', 'HOST: b.test']) {
      expect(await raw(`GET / HTTP/1.1\r\nHost: a.test\r\n${second}\r\nConnection: close\r\n\r\n`)).toMatch(
        /^HTTP\/1\.1 400/,
      )
    }
  })

  test('gives a connection fifteen seconds for its headers', async () => {
    await serve(page)
    expect(httpServer?.server).toMatchObject({ headersTimeout: 15_000, connectionsCheckingInterval: 1000 })
  })

  test('closes a connection whose headers are not completed', async () => {
    await serve(page, { headersTimeoutMs: 200 })
    expect(httpServer?.server.headersTimeout).toBe(200)
    expect(await raw('GET / HTTP/1.1\r\nHost: a.test\r\nX-Slow: ')).toMatch(/^HTTP\/1\.1 408/)
    expect(await raw('')).toMatch(/^HTTP\/1\.1 408/)
  })

  test.each([
    ['gzip, br;q=0', 'gzip'],
    ['gzip;q=0.2, br;q=0.1', 'gzip'],
    ['gzip, br', 'br'],
    ['GZIP;Q=1', 'gzip'],
    ['*', 'br'],
    ['*, br;q=0', 'gzip'],
    ['br;q=0.0, gzip; q=0', undefined],
    ['br;q=2', undefined],
    ['identity', undefined],
    ['', undefined],
  ])('compresses for Accept-Encoding "%s" as %s', (accepted, encoding) => {
    expect(encodingFor(accepted) ?? undefined).toBe(encoding)
  })

  test('refuses a declared body over a megabyte before reading it, and a streamed one at the limit', async () => {
    let reached = 0
    await serve(async (request, response) => {
      let size = 0
      for await (const chunk of request) size += chunk.length
      reached += 1
      response.writeHead(200).end(String(size))
    })
    const declared = await raw('POST /v1/x HTTP/1.1\r\nHost: a.test\r\nContent-Length: 200000000\r\n\r\n')
    expect(declared).toMatch(/^HTTP\/1.1 413[\s\S]*{"code":"too_large","message":"too_large","fields":{}}$/)
    const streamed = await raw(
      `POST /v1/x HTTP/1.1\r\nHost: a.test\r\nTransfer-Encoding: chunked\r\n\r\n${chunked(1_100_000)}`,
    )
    expect(streamed).toMatch(/^HTTP\/1.1 413/)
    expect(reached).toBe(0)
    const small = await raw(
      `POST /v1/x HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n${chunked(5000)}`,
    )
    expect(small).toContain('5000')
  })

  test('compresses long text in an encoding the client accepts', async () => {
    await serve(page)
    const br = await requestPath('/', { headers: { 'accept-encoding': 'gzip, br' } })
    expect(br.headers['content-encoding']).toBe('br')
    expect(brotliDecompressSync(br.body).toString()).toBe(LONG)
    const gzip = await requestPath('/', { headers: { 'accept-encoding': 'gzip, br;q=0' } })
    expect(gunzipSync(gzip.body).toString()).toBe(LONG)
    const plain = await requestPath('/')
    expect([plain.headers['content-encoding'], plain.text]).toEqual([undefined, LONG])
    expect(
      (await requestPath('/short', { headers: { 'accept-encoding': 'br' } })).headers['content-encoding'],
    ).toBeUndefined()
  })

  test('sends each chunk of a slow page at once, compressed', async () => {
    await serve(async (_request, response) => {
      response.writeHead(200, HTML)
      response.write('<p>first</p>')
      await new Promise((resolve) => setTimeout(resolve, 300))
      response.end('<p>second</p>')
    })
    const pieces: string[] = []
    const all = await new Promise<Buffer>((resolve) => {
      http.get({ port, headers: { 'accept-encoding': 'gzip' } }, (answer) => {
        const chunks: Buffer[] = []
        const since = Date.now()
        answer.on('data', (chunk) => {
          pieces.push(Date.now() - since < 150 ? 'early' : 'late')
          chunks.push(chunk)
        })
        answer.on('end', () => resolve(Buffer.concat(chunks)))
      })
    })
    expect(pieces[0]).toBe('early')
    expect(pieces.at(-1)).toBe('late')
    expect(gunzipSync(all).toString()).toBe('<p>first</p><p>second</p>')
  })

  test('answers an unknown page with the not-found page, with the same locals', async () => {
    await serve((request, response, next, locals) => {
      if (request.url !== '/404') return next?.()
      return response.writeHead(404, HTML).end(locals.requestId)
    })
    const { status, text, headers } = await requestPath('/nowhere')
    expect([status, text]).toEqual([404, headers['x-request-id']])
    await expect.poll(() => lines.at(-1)).toMatchObject({ status: 404, path: '/nowhere' })
  })

  test('logs a request without its query, cookies or body', async () => {
    await serve(page)
    await requestPath('/reset-password?token=s3cret', {
      headers: { cookie: 'token=s3cret', authorization: 'Bearer s3cret' },
    })
    await expect.poll(() => lines.length).toBe(1)
    expect(lines[0]).toMatchObject({ method: 'GET', path: '/reset-password', status: 200 })
    expect(JSON.stringify(lines)).not.toContain('s3cret')
  })

  test('answers simple calls itself, and passes unknown ones to the renderer', async () => {
    const requests: unknown[] = []
    const known = async (host: string, authorization?: string, cookies?: string) => {
      requests.push([host, authorization, cookies])
      if (authorization === 'broken') throw new Error('broken')
      return authorization ? { who: 'Олена' } : null
    }
    await serve(page, { directCalls: new Map([['/v1/who', known]]) })
    const answer = await requestPath('/v1/who', {
      headers: { host: 'demo.kafedra.localhost', authorization: 'a', cookie: 'b=c' },
    })
    expect([answer.status, JSON.parse(answer.text)]).toEqual([200, { who: 'Олена' }])
    expect(answer.headers).toMatchObject({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
    expect(requests).toEqual([['demo.kafedra.localhost', 'a', 'b=c']])
    expect((await requestPath('/v1/who')).text).toBe(LONG)
    expect((await requestPath('/v1/who', { headers: { authorization: 'broken' } })).text).toBe(LONG)
    expect((await requestPath('/v1/who?a=1', { headers: { authorization: 'a' } })).text).toBe(LONG)
    await expect.poll(() => lines[0]).toMatchObject({ path: '/v1/who', status: 200 })
  })

  test('is ready only while the database answers and the disk accepts data, and names the reason', async () => {
    let findOutage: () => Promise<string | null> = async () => null
    await serve(page, { findOutage: () => findOutage() })
    const readiness = async () => {
      const { status, text } = await requestPath('/readyz')
      return [status, JSON.parse(text)]
    }
    expect(await readiness()).toEqual([200, { status: 'ok' }])
    findOutage = () => Promise.reject(new Error('gone'))
    expect(await readiness()).toEqual([503, { status: 'down', reason: 'database' }])
    findOutage = async () => 'disk_full'
    expect(await readiness()).toEqual([503, { status: 'down', reason: 'disk_full' }])
    expect((await requestPath('/healthz')).status).toBe(200)
    findOutage = async () => null
    expect(await readiness()).toEqual([200, { status: 'ok' }])
    await expect
      .poll(() => lines.map((line) => line.reason ?? line.msg))
      .toEqual(expect.arrayContaining(['database', 'disk_full', 'ready again']))
  })

  test('drains: completes requests, ends event streams and accepts no more', async () => {
    await serve(async (request, response) => {
      if (request.url === '/live') {
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        return void response.write('data: one\n\n')
      }
      await new Promise((resolve) => setTimeout(resolve, 300))
      response.writeHead(200, HTML)
      response.end('done')
    })
    const live = requestPath('/live', { headers: { 'accept-encoding': 'br' } })
    const slow = requestPath('/slow')
    await new Promise((resolve) => setTimeout(resolve, 100))
    const since = performance.now()
    await httpServer?.drain(5000)
    expect(performance.now() - since).toBeLessThan(1000)
    expect(await live).toMatchObject({ status: 200, text: 'data: one\n\n' })
    expect(await slow).toMatchObject({ status: 200, text: 'done' })
    await expect(requestPath('/')).rejects.toThrow(/ECONNREFUSED/)
  })

  test('closes what does not end within the shutdown timeout', async () => {
    await serve(() => {})
    const hanging = requestPath('/').catch(String)
    await new Promise((resolve) => setTimeout(resolve, 50))
    await httpServer?.drain(100)
    expect(await hanging).toMatch(/socket hang up|ECONNRESET/)
  })

  test('answers a failing renderer with 500', async () => {
    await serve(async () => {
      throw new Error('broken')
    })
    expect((await requestPath('/')).status).toBe(500)
  })
})

describe('static files', () => {
  test('are precompressed, typed, and immutable when their name contains a hash', async () => {
    const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'kafedra-static-'))
    fs.mkdirSync(path.join(directory, '_astro'))
    fs.writeFileSync(path.join(directory, '_astro/a.js'), 'let a = 1')
    fs.writeFileSync(path.join(directory, '_astro/a.js.br'), 'packed')
    fs.writeFileSync(path.join(directory, 'favicon.svg'), '<svg/>')
    fs.writeFileSync(path.join(os.tmpdir(), 'kafedra-outside.txt'), 'outside')
    await serve(page, { files: loadStaticFiles(directory) })
    const script = await requestPath('/_astro/a.js', { headers: { 'accept-encoding': 'br' } })
    expect(script.text).toBe('packed')
    expect(script.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'content-encoding': 'br',
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'Accept-Encoding',
    })
    const again = await requestPath('/_astro/a.js', { headers: { 'if-none-match': String(script.headers.etag) } })
    expect([again.status, again.text]).toEqual([304, ''])
    expect((await requestPath('/favicon.svg')).headers['content-type']).toBe('image/svg+xml')
    for (const target of [
      '/../kafedra-outside.txt',
      '/%2e%2e/kafedra-outside.txt',
      '/_astro/../../kafedra-outside.txt',
      '/_astro/a.js.br',
    ]) {
      expect((await requestPath(target)).text, target).not.toMatch(/outside|packed/)
    }
    fs.rmSync(directory, { recursive: true })
    fs.rmSync(path.join(os.tmpdir(), 'kafedra-outside.txt'))
  })
})

const page: AstroHandler = (request, response) => {
  response.writeHead(200, HTML)
  response.write(request.url === '/short' ? '<p>' : LONG)
  response.end()
}

async function serve(handler: AstroHandler, options: Partial<ServerOptions> = {}): Promise<void> {
  lines = []
  const stream = new Writable({
    write(chunk, _encoding, done) {
      lines.push(JSON.parse(String(chunk)))
      done()
    },
  })
  httpServer = createServer(handler, {
    log: pino(stream),
    trustProxy: false,
    isHttps: false,
    findOutage: async () => null,
    ...options,
  })
  httpServer.server.listen(0, '127.0.0.1')
  await once(httpServer.server, 'listening')
  port = (httpServer.server.address() as AddressInfo).port
}

interface Answer {
  status: number | undefined
  headers: http.IncomingHttpHeaders
  body: Buffer
  text: string
}

function requestPath(target: string, { headers = {} }: { headers?: Record<string, string> } = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = http.request({ host: '127.0.0.1', port, path: target, agent: false, headers }, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk) => chunks.push(chunk))
      answer.on('error', reject)
      answer.on('end', () => {
        const body = Buffer.concat(chunks)
        resolve({ status: answer.statusCode, headers: answer.headers, body, text: body.toString() })
      })
    })
    request.on('error', reject)
    request.end()
  })
}

function raw(message: string): Promise<string> {
  return new Promise((resolve) => {
    let received = ''
    const socket = net.connect(port, '127.0.0.1', () => socket.write(message))
    socket.on('data', (chunk) => (received += String(chunk)))
    socket.on('error', () => {})
    socket.on('close', () => resolve(received))
  })
}

function chunked(bytes: number): string {
  return `${bytes.toString(16)}\r\n${'x'.repeat(bytes)}\r\n0\r\n\r\n`
}
