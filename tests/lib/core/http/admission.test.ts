import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import pino from 'pino'
import { afterEach, describe, expect, test } from 'vitest'
import { createAdmission, createLoopObserver } from '#lib/core/http/admission.ts'
import { type AstroHandler, createServer, type HttpServer } from '#lib/core/http/server.ts'

const PAGE = { accept: 'text/html' }
let server: HttpServer | undefined
let origin = ''
let releaseAll: () => void = () => {}

afterEach(async () => {
  releaseAll()
  await server?.drain(50)
})

/** A server whose renderer responds after it is released; `/v1/live` opens an event stream. */
async function serve(limit: number, isSaturated: () => boolean): Promise<void> {
  const released = new Promise<void>((resolve) => {
    releaseAll = resolve
  })
  const handler: AstroHandler = async (request, response) => {
    if (request.url === '/v1/live') {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(': opened\n\n')
      return
    }
    await released
    response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Сторінка</p>')
  }
  server = createServer(handler, {
    log: pino({ level: 'silent' }),
    trustProxy: false,
    isHttps: false,
    findOutage: async () => null,
    messageFor: () => 'Зачекайте',
    admission: createAdmission(limit, isSaturated),
  })
  server.server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  origin = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`
}

/** Sends requests that the renderer has received and not answered yet. */
async function occupy(count: number, init: RequestInit = { headers: PAGE }): Promise<Promise<Response>[]> {
  const requests = Array.from({ length: count }, () => fetch(`${origin}/occupied`, init))
  // A response to a later request on another connection shows that the earlier ones have arrived.
  for (let round = 0; round < 3; round++) await fetch(`${origin}/healthz`)
  return requests
}

describe('an overloaded server', () => {
  test('refuses the page above its limit with a time to retry, and serves those that it has admitted', async () => {
    await serve(3, () => true)
    const admitted = await occupy(3)
    const refused = await fetch(`${origin}/`, { headers: { ...PAGE, cookie: 'locale=en' } })
    expect(refused.status).toBe(503)
    expect(refused.headers.get('retry-after')).toBe('2')
    expect(refused.headers.get('cache-control')).toBe('no-store')
    expect(await refused.text()).toMatch(/<html lang="en">.*http-equiv="refresh" content="2".*<h1>Зачекайте<\/h1>/)
    releaseAll()
    expect((await Promise.all(admitted)).map(({ status }) => status)).toEqual([200, 200, 200])
    expect((await fetch(`${origin}/`, { headers: PAGE })).status).toBe(200)
  })

  test('admits form submissions while it refuses pages, up to eight times the limit', async () => {
    await serve(1, () => true)
    const pages = await occupy(1)
    const forms = await occupy(7, { method: 'POST', headers: PAGE })
    const refused = await fetch(`${origin}/v1/module/course/create`, { method: 'POST' })
    expect(refused.status).toBe(503)
    expect(await refused.json()).toMatchObject({ code: 'unavailable' })
    releaseAll()
    for (const response of await Promise.all([...pages, ...forms])) expect(response.status).toBe(200)
  })

  test('stays healthy', async () => {
    await serve(1, () => true)
    await occupy(1)
    for (const path of ['/healthz', '/readyz']) expect((await fetch(origin + path)).status).toBe(200)
  })

  test('does not count event streams', async () => {
    await serve(1, () => true)
    const streams = await Promise.all([1, 2, 3].map(() => fetch(`${origin}/v1/live`)))
    expect(streams.map(({ status }) => status)).toEqual([200, 200, 200])
    releaseAll()
    expect((await fetch(`${origin}/`, { headers: PAGE })).status).toBe(200)
    for (const stream of streams) await stream.body?.cancel()
  })
})

test('a server with a free event loop admits requests above its limit: they wait for other services', async () => {
  await serve(1, () => false)
  const requests = await occupy(5)
  releaseAll()
  for (const response of await Promise.all(requests)) expect(response.status).toBe(200)
})

test('the event loop counts as saturated only while it is busy all the time', async () => {
  const admission = createAdmission(0, createLoopObserver())
  const admitPage = () => admission.admit({ method: 'GET', headers: PAGE } as never, { on: () => undefined } as never)
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(admitPage()).toBe(true)
  const until = performance.now() + 400
  while (performance.now() < until) Math.sqrt(until)
  expect(admitPage()).toBe(false)
})
