import http, { type IncomingMessage, type OutgoingHttpHeaders, type ServerResponse } from 'node:http'
import type { Logger } from 'pino'
import { createReadiness } from '../processes/readiness.ts'
import { findFullDisk, isServiceUnavailable } from '../service-unavailable.ts'
import { clientAddress, createRequestIds, hostOf, isHostRepeated, isValidTarget } from './address.ts'
import { type AdmissionControl, createRetryPage, isPageRequest, RETRY_AFTER_SECONDS } from './admission.ts'
import { loggedPath } from './logged-path.ts'
import { cacheSecondsOf, createPageCache, type PageCache } from './page-cache.ts'
import { limitBodySize, limitBodyTime } from './request-limits.ts'
import { compressResponse } from './static/compress.ts'
import type { StaticFiles } from './static/static-files.ts'

/** Data about a request that the HTTP server passes to the renderer as `Astro.locals`. */
interface ServerLocals {
  requestId: string
  address: string
  hostHeader: string
  /** Node's response, for event streams that are written without the renderer. */
  response: ServerResponse
}

export type AstroHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  next: (() => unknown) | undefined,
  locals: ServerLocals,
) => unknown

type DirectCall = (
  host: string,
  authorization: string | undefined,
  cookies: string | undefined,
) => Promise<object | null>

/** Data that the HTTP server passes to an endpoint. */
export interface EndpointTools {
  /** Security headers and the request's id, for every response. */
  headers: Readonly<Record<string, string>>
  refuse(status: number, code: string): void
  /** Sets the timeout in milliseconds for receiving the whole request, when it is longer than the default. */
  setBodyTimeout(timeoutMs: number): void
}

/** Handles requests of a path without the renderer. Any error that it throws is a bug. */
export type Endpoint = (request: IncomingMessage, response: ServerResponse, tools: EndpointTools) => Promise<void>

export interface ServerOptions {
  log: Logger
  trustProxy: boolean
  /** The installation is served by HTTPS, so Strict-Transport-Security may be sent. */
  isHttps: boolean
  /** What keeps the process from serving requests, for `/readyz`; null when nothing does. Rejects without a database. */
  findOutage(): Promise<string | null>
  files?: StaticFiles
  pageCache?: PageCache
  /** Calls that are handled without the renderer, by URL. A null result passes the request on to the renderer. */
  directCalls?: ReadonlyMap<string, DirectCall>
  /** Refuses requests under overload; without it all are admitted. */
  admission?: AdmissionControl
  /** Timeout for receiving the body of a request; two minutes by default. */
  bodyTimeoutMs?: number
  /** Timeout for receiving the headers of a request. */
  headersTimeoutMs?: number
  /** Endpoints that bypass the renderer, by the first two segments of their path: `/v1/media/`. */
  endpoints?: ReadonlyMap<string, Endpoint>
  /** The message of a refusal in the language of the request; the code itself without this function. */
  messageFor?(code: string, cookie: string | undefined): string
}

export interface HttpServer {
  server: http.Server
  /** Stops accepting connections, ends event streams, waits for running requests and after `timeoutMs` closes the rest. */
  drain(timeoutMs: number): Promise<void>
}

const HEALTH = new Set(['/healthz', '/readyz'])
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** The HTTP server: limits, health, cached pages, built files, endpoints, and the renderer for all other requests. */
export function createServer(handler: AstroHandler, options: ServerOptions): HttpServer {
  const { log, trustProxy, bodyTimeoutMs = 120_000, headersTimeoutMs = 15_000 } = options
  const idOf = createRequestIds(trustProxy)
  const pages = options.pageCache ?? createPageCache()
  const baseHeaders = securityHeaders(options.isHttps)
  const streams = new Set<ServerResponse>()
  const findOutage = createReadiness(options.findOutage, log)
  let draining = false

  const settings = {
    maxHeaderSize: 16_384,
    keepAliveTimeout: 65_000,
    headersTimeout: headersTimeoutMs,
    // Each request has its own, shorter limit: see limitBodyTime.
    requestTimeout: 1_000_000,
    // Node checks for header timeouts at this interval; with its default of 30 s a timeout of 15 s could take 45 s.
    connectionsCheckingInterval: Math.min(1000, headersTimeoutMs),
  }
  const server = http.createServer(settings, (request, response) => {
    const started = performance.now()
    const requestId = idOf(request.headers)
    const host = isHostRepeated(request.rawHeaders) ? null : hostOf(request.headers, trustProxy)
    const key = host === null ? null : pages.keyOf(request, host)
    const cachedStatus = key === null ? null : pages.answer(key, request, response, requestId)
    const target = request.url ?? ''
    const path = pathOf(target)
    if (cachedStatus !== null) return logRequest(request.method, path, requestId, cachedStatus, started)

    const locals = {
      requestId,
      hostHeader: host ?? '',
      address: clientAddress(request.headers, request.socket.remoteAddress, trustProxy),
      response,
    }
    response.on('close', () => {
      streams.delete(response)
      logRequest(request.method, path, requestId, response.writableFinished ? response.statusCode : 499, started)
    })
    if (draining) response.setHeader('Connection', 'close')
    if (HEALTH.has(path)) return void health(path, response, requestId)
    if (!METHODS.has(request.method ?? '')) return refuse(request, response, requestId, 405, 'invalid')
    if (host === null || !isValidTarget(target)) return refuse(request, response, requestId, 400, 'invalid')
    const setBodyTimeout = limitBodyTime(request, bodyTimeoutMs, () =>
      refuse(request, response, requestId, 408, 'invalid'),
    )
    const endpoint = options.endpoints?.get(firstTwoSegments(path))
    if (endpoint && target.includes('%00')) return refuse(request, response, requestId, 400, 'invalid')
    if (endpoint) return void runEndpoint(endpoint, request, response, requestId, setBodyTimeout)
    if (options.files?.answer(path, request, response, { ...baseHeaders, 'X-Request-Id': requestId })) return
    if (!limitBodySize(request, path, () => refuse(request, response, requestId, 413, 'too_large'))) return
    if (options.admission?.admit(request, response) === false) return refuseOverload(request, response, requestId)
    const call = request.method === 'GET' ? options.directCalls?.get(target) : undefined
    if (!call) return render(request, response, locals, key)
    const { authorization, cookie } = request.headers
    call(host, authorization, cookie)
      .catch((error: unknown) => {
        // The renderer then handles the request, with its own error page if it fails too.
        log.warn({ err: error, id: requestId }, 'a direct call failed')
        return null
      })
      .then((answer) => {
        if (answer === null) return render(request, response, locals, key)
        const headers = { ...baseHeaders, 'x-request-id': requestId, 'cache-control': 'no-store' }
        sendJson(response, 200, headers, answer)
      })
  })
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const status = error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? '408 Request Timeout' : '400 Bad Request'
    if (socket.writable) socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
    else socket.destroy()
  })

  function render(request: IncomingMessage, response: ServerResponse, locals: ServerLocals, key: string | null): void {
    const mayCache = key !== null && request.method === 'GET'
    const { generation } = pages
    compressResponse(request, response, {
      onHead(status, headers) {
        Object.assign(headers, { ...baseHeaders, ...headers, 'x-request-id': locals.requestId })
        // Only this process can compute the cache key of the page: a proxy would serve one language to everybody.
        const isCacheable = mayCache && cacheSecondsOf(status, headers) > 0
        if (!isCacheable && isSharedPage(headers)) headers['cache-control'] = 'private, no-cache'
        if (String(headers['content-type'] ?? '').startsWith('text/event-stream')) {
          streams.add(response)
          options.admission?.release(response)
        }
      },
      needsWholeBody: (status, headers) => mayCache && cacheSecondsOf(status, headers) > 0,
      onWholeBody(headers, body) {
        if (key !== null) pages.store(key, { headers, body, maxAgeSeconds: cacheSecondsOf(200, headers), generation })
        headers['cache-control'] = 'private, no-cache'
      },
    })
    // Renders the not-found page with the same locals, which Astro's own fallback would drop.
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

  async function runEndpoint(
    endpoint: Endpoint,
    request: IncomingMessage,
    response: ServerResponse,
    id: string,
    setBodyTimeout: (timeoutMs: number) => void,
  ): Promise<void> {
    const tools = {
      headers: { ...baseHeaders, 'x-request-id': id },
      refuse(status: number, code: string) {
        request.resume()
        refuse(request, response, id, status, code)
      },
      setBodyTimeout,
    }
    await endpoint(request, response, tools).catch((error: unknown) => {
      log.error({ err: error, id }, 'an endpoint failed')
      if (response.headersSent) response.destroy()
      else if (findFullDisk(error)) refuse(request, response, id, 507, 'disk_full')
      else if (isServiceUnavailable(error)) refuse(request, response, id, 503, 'unavailable')
      else refuse(request, response, id, 500, 'internal')
    })
  }

  async function health(path: string, response: ServerResponse, requestId: string): Promise<void> {
    const reason = path === '/readyz' && !draining ? await findOutage() : null
    const status = reason !== null ? 'down' : path === '/readyz' && draining ? 'draining' : 'ok'
    const headers = { ...baseHeaders, 'Cache-Control': 'no-store', 'X-Request-Id': requestId }
    sendJson(response, status === 'ok' ? 200 : 503, headers, { status, ...(reason !== null && { reason }) })
  }

  function refuse(request: IncomingMessage, response: ServerResponse, id: string, status: number, code: string): void {
    if (response.headersSent) return void response.destroy()
    const message = options.messageFor?.(code, request.headers.cookie) ?? code
    const length = Number(request.headers['content-length'] ?? MAX_DISCARDED_BYTES)
    // A body that is not read to its end would keep the connection open.
    const isBodyRead = length < MAX_DISCARDED_BYTES && (request.complete || !request.destroyed)
    const headers = { ...baseHeaders, 'X-Request-Id': id, ...(!isBodyRead && { Connection: 'close' }) }
    if (status === 503 && !response.hasHeader('Retry-After')) response.setHeader('Retry-After', '5')
    sendJson(response, status, headers, { code, message, fields: {} })
  }

  function refuseOverload(request: IncomingMessage, response: ServerResponse, id: string): void {
    response.setHeader('Retry-After', RETRY_AFTER_SECONDS)
    if (!isPageRequest(request)) return void refuse(request, response, id, 503, 'unavailable')
    const { cookie } = request.headers
    const message = options.messageFor?.('unavailable', cookie) ?? 'unavailable'
    const body = Buffer.from(createRetryPage(message, languageOf(cookie)))
    const headers = { ...baseHeaders, 'X-Request-Id': id, 'Cache-Control': 'no-store' }
    const content = { 'Content-Type': 'text/html; charset=utf-8', 'Content-Length': body.length }
    response.writeHead(503, { ...headers, ...content }).end(body)
  }

  function logRequest(method: string | undefined, path: string, id: string, status: number, started: number): void {
    const ms = Math.round((performance.now() - started) * 10) / 10
    log[status >= 500 ? 'error' : 'info']({ id, method, path: loggedPath(path).replace(SIGNED_TOKEN, '*'), status, ms })
  }

  async function drain(timeoutMs: number): Promise<void> {
    draining = true
    const closed = new Promise<void>((resolve) => server.close(() => resolve()))
    for (const stream of streams) stream.end()
    server.closeIdleConnections()
    const idleTimer = setInterval(() => server.closeIdleConnections(), 50)
    const closeTimer = setTimeout(() => server.closeAllConnections(), timeoutMs)
    await closed
    clearInterval(idleTimer)
    clearTimeout(closeTimer)
  }

  return { server, drain }
}

const MAX_DISCARDED_BYTES = 33_554_432

/** The token of a signed URL; it is removed from the log. */
const SIGNED_TOKEN = /(?<![0-9a-z])[0-9a-z]+\.[0-9a-z]+\.[\w-]{22}/

function isSharedPage(headers: OutgoingHttpHeaders): boolean {
  const html = String(headers['content-type'] ?? '').startsWith('text/html')
  return html && /\b(public|s-maxage)\b/.test(String(headers['cache-control'] ?? ''))
}

function languageOf(cookie: string | undefined): 'en' | 'uk' {
  return /(^|;\s*)locale=en(;|$)/.test(cookie ?? '') ? 'en' : 'uk'
}

function firstTwoSegments(path: string): string {
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
  const queryStart = target.indexOf('?')
  return queryStart === -1 ? target : target.slice(0, queryStart)
}
