import http, { type IncomingMessage, type OutgoingHttpHeaders, type ServerResponse } from 'node:http'
import type { Logger } from 'pino'
import { isUnavailable } from '../unavailable.ts'
import { clientAddress, hostOf, isHostRepeated, isSaneTarget, requestIds } from './address.ts'
import { interpose } from './compress.ts'
import { createPageCache, lifetimeOf, type PageCache } from './page-cache.ts'
import { mindSlowness, withinLimit } from './request-limits.ts'
import type { StaticFiles } from './static.ts'

/** What the front tells the renderer about a request; arrives as `Astro.locals`. */
export interface FrontLocals {
  requestId: string
  address: string
  hostHeader: string
  /** Node's own answer, for event streams that pass the renderer by. */
  response: ServerResponse
}

export type Handler = (
  request: IncomingMessage,
  response: ServerResponse,
  next: (() => unknown) | undefined,
  locals: FrontLocals,
) => unknown

export type QuickCall = (
  host: string,
  authorization: string | undefined,
  cookies: string | undefined,
) => Promise<object | null>

/** What a door gets from the front. */
export interface DoorTools {
  /** Security headers and the request's number, for every answer. */
  headers: Readonly<Record<string, string>>
  refuse(status: number, code: string): void
  /** How long the whole request may take to come, in ms, where it may take more than others. */
  waitFor(ms: number): void
}

/** Answers requests of a path without the renderer; what it throws is a bug. */
export type Door = (request: IncomingMessage, response: ServerResponse, tools: DoorTools) => Promise<void>

export interface FrontOptions {
  log: Logger
  trustProxy: boolean
  /** The product is reached by https, so browsers may be told to insist on it. */
  secure: boolean
  /** Whether the database answers. */
  ready(): Promise<boolean>
  files?: StaticFiles
  pages?: PageCache
  /** Calls that are answered without the renderer: their answer, or null for the renderer to give it. */
  calls?: ReadonlyMap<string, QuickCall>
  /** How long a request's body may take to come, in ms: two minutes unless told. */
  patience?: number
  /** How long a connection may take to send the headers of a request, in ms. */
  headersTimeout?: number
  /** Doors beside the renderer, by their first two steps: `/v1/media/`. */
  doors?: ReadonlyMap<string, Door>
  /** Words of a refusal in the caller's language; without it the code itself. */
  words?(code: string, cookie: string | undefined): string
}

export interface Front {
  server: http.Server
  /** Stops accepting, ends event streams, waits for running requests and after `patience` ms cuts what is left. */
  drain(patience: number): Promise<void>
}

const HEALTH = new Set(['/healthz', '/readyz'])
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** The product's HTTP front: limits, health, cached pages, built files, and the renderer behind them. */
export function createServer(handler: Handler, options: FrontOptions): Front {
  const { log, trustProxy, patience = 120_000, headersTimeout = 15_000 } = options
  const idOf = requestIds(trustProxy)
  const pages = options.pages ?? createPageCache()
  const fixed = securityHeaders(options.secure)
  const streams = new Set<ServerResponse>()
  let draining = false

  const settings = {
    maxHeaderSize: 16_384,
    keepAliveTimeout: 65_000,
    headersTimeout,
    // Each request has its own, shorter limit: see mindSlowness.
    requestTimeout: 1_000_000,
    // Node looks for late headers this often; its default of 30 s would let them be 45 s late.
    connectionsCheckingInterval: Math.min(1000, headersTimeout),
  }
  const server = http.createServer(settings, (request, response) => {
    const started = performance.now()
    const requestId = idOf(request.headers)
    const host = isHostRepeated(request.rawHeaders) ? null : hostOf(request.headers, trustProxy)
    const key = host === null ? null : pages.keyOf(request, host)
    const kept = key === null ? null : pages.answer(key, request, response, requestId)
    const target = request.url ?? ''
    const path = pathOf(target)
    if (kept !== null) return note(request.method, path, requestId, kept, started)

    const locals = {
      requestId,
      hostHeader: host ?? '',
      address: clientAddress(request.headers, request.socket.remoteAddress, trustProxy),
      response,
    }
    response.on('close', () => {
      streams.delete(response)
      note(request.method, path, requestId, response.writableFinished ? response.statusCode : 499, started)
    })
    if (draining) response.setHeader('Connection', 'close')
    if (HEALTH.has(path)) return void health(path, response, requestId)
    if (!METHODS.has(request.method ?? '')) return refuse(request, response, requestId, 405, 'invalid')
    if (host === null || !isSaneTarget(target)) return refuse(request, response, requestId, 400, 'invalid')
    const waitFor = mindSlowness(request, patience, () => refuse(request, response, requestId, 408, 'invalid'))
    const door = options.doors?.get(firstTwoSteps(path))
    if (door && target.includes('%00')) return refuse(request, response, requestId, 400, 'invalid')
    if (door) return void enter(door, request, response, requestId, waitFor)
    if (options.files?.answer(path, request, response, { ...fixed, 'X-Request-Id': requestId })) return
    if (!withinLimit(request, path, () => refuse(request, response, requestId, 413, 'too_large'))) return
    const call = request.method === 'GET' ? options.calls?.get(target) : undefined
    if (!call) return render(request, response, locals, key)
    const { authorization, cookie } = request.headers
    call(host, authorization, cookie)
      .catch((error: unknown) => {
        // The renderer answers instead, and by its own error page if it fails too.
        log.warn({ err: error, id: requestId }, 'a quick call failed')
        return null
      })
      .then((answer) => {
        if (answer === null) return render(request, response, locals, key)
        const headers = { ...fixed, 'x-request-id': requestId, 'cache-control': 'no-store' }
        sendJson(response, 200, headers, answer)
      })
  })
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const status = error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? '408 Request Timeout' : '400 Bad Request'
    if (socket.writable) socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
    else socket.destroy()
  })

  function render(request: IncomingMessage, response: ServerResponse, locals: FrontLocals, key: string | null): void {
    const keepable = key !== null && request.method === 'GET'
    interpose(request, response, {
      head(status, headers) {
        Object.assign(headers, { ...fixed, ...headers, 'x-request-id': locals.requestId })
        // Only this process knows what tells two such pages apart: a proxy would hand one language to everybody.
        const kept = keepable && lifetimeOf(status, headers) > 0
        if (!kept && isSharedPage(headers)) headers['cache-control'] = 'private, no-cache'
        if (String(headers['content-type'] ?? '').startsWith('text/event-stream')) streams.add(response)
      },
      wanted: (status, headers) => keepable && lifetimeOf(status, headers) > 0,
      whole(headers, body) {
        if (key !== null) pages.keep(key, headers, body, lifetimeOf(200, headers))
        headers['cache-control'] = 'private, no-cache'
      },
    })
    // No page of that name: the renderer's own not-found page, with the same locals, which its fallback would drop.
    const missing = () => {
      request.url = '/404'
      return handler(request, response, undefined, locals)
    }
    Promise.resolve(handler(request, response, missing, locals)).catch((error: unknown) => {
      log.error({ err: error, id: locals.requestId }, 'the renderer failed')
      if (response.headersSent) response.destroy()
      else response.writeHead(500).end()
    })
  }

  async function enter(
    door: Door,
    request: IncomingMessage,
    response: ServerResponse,
    id: string,
    waitFor: (ms: number) => void,
  ): Promise<void> {
    const tools = {
      headers: { ...fixed, 'x-request-id': id },
      refuse(status: number, code: string) {
        request.resume()
        refuse(request, response, id, status, code)
      },
      waitFor,
    }
    await door(request, response, tools).catch((error: unknown) => {
      log.error({ err: error, id }, 'a door failed')
      if (response.headersSent) response.destroy()
      else if (isUnavailable(error)) refuse(request, response, id, 503, 'unavailable')
      else refuse(request, response, id, 500, 'internal')
    })
  }

  async function health(path: string, response: ServerResponse, requestId: string): Promise<void> {
    const well = path === '/healthz' || (!draining && (await withPatience(options.ready())))
    const headers = { ...fixed, 'Cache-Control': 'no-store', 'X-Request-Id': requestId }
    sendJson(response, well ? 200 : 503, headers, { status: well ? 'ok' : draining ? 'draining' : 'down' })
  }

  function refuse(request: IncomingMessage, response: ServerResponse, id: string, status: number, code: string): void {
    if (response.headersSent) return void response.destroy()
    const message = options.words?.(code, request.headers.cookie) ?? code
    const length = Number(request.headers['content-length'] ?? MOST_SWALLOWED)
    // What nobody reads to its end would keep the connection waiting.
    const swallowed = length < MOST_SWALLOWED && (request.complete || !request.destroyed)
    const headers = { ...fixed, 'X-Request-Id': id, ...(!swallowed && { Connection: 'close' }) }
    if (status === 503 && !response.hasHeader('Retry-After')) response.setHeader('Retry-After', '5')
    sendJson(response, status, headers, { code, message, fields: {} })
  }

  function note(method: string | undefined, path: string, id: string, status: number, started: number): void {
    const ms = Math.round((performance.now() - started) * 10) / 10
    log[status >= 500 ? 'error' : 'info']({ id, method, path: path.replace(TICKET, '*'), status, ms })
  }

  async function drain(patience: number): Promise<void> {
    draining = true
    const closed = new Promise<void>((resolve) => server.close(() => resolve()))
    for (const stream of streams) stream.end()
    server.closeIdleConnections()
    const idle = setInterval(() => server.closeIdleConnections(), 50)
    const cut = setTimeout(() => server.closeAllConnections(), patience)
    await closed
    clearInterval(idle)
    clearTimeout(cut)
  }

  return { server, drain }
}

const MOST_SWALLOWED = 33_554_432

/** What opens a signed address; a line that many may read leaves it out. */
const TICKET = /(?<![0-9a-z])[0-9a-z]+\.[0-9a-z]+\.[\w-]{22}/

function isSharedPage(headers: OutgoingHttpHeaders): boolean {
  const html = String(headers['content-type'] ?? '').startsWith('text/html')
  return html && /\b(public|s-maxage)\b/.test(String(headers['cache-control'] ?? ''))
}

function firstTwoSteps(path: string): string {
  return path.slice(0, path.indexOf('/', path.indexOf('/', 1) + 1) + 1)
}

function securityHeaders(secure: boolean): Record<string, string> {
  return {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'permissions-policy': 'camera=(self), microphone=(self), display-capture=(self), geolocation=(), usb=(), serial=()',
    'cross-origin-opener-policy': 'same-origin',
    ...(secure && { 'strict-transport-security': 'max-age=31536000; includeSubDomains' }),
  }
}

function sendJson(response: ServerResponse, status: number, headers: Record<string, string>, value: object): void {
  const body = Buffer.from(JSON.stringify(value))
  const type = 'application/json; charset=utf-8'
  response.writeHead(status, { ...headers, 'Content-Type': type, 'Content-Length': body.length }).end(body)
}

function pathOf(target: string): string {
  const question = target.indexOf('?')
  return question === -1 ? target : target.slice(0, question)
}

function withPatience(answer: Promise<boolean>): Promise<boolean> {
  const late = new Promise<boolean>((resolve) => setTimeout(resolve, 2000, false).unref())
  return Promise.race([answer.catch(() => false), late])
}
