import { once } from 'node:events'
import fs from 'node:fs'
import http from 'node:http'
import { Writable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import pino from 'pino'
import { createServer, type Endpoint, type HttpServer } from '#lib/core/http/server.ts'
import { portOf } from '../servers/port.ts'

/** The token of a session, and that of another user. */
export const TOKEN = 'a'.repeat(43)
export const OTHER_TENANT = 'b'.repeat(43)

export interface EndpointServer {
  httpServer: HttpServer
  port: number
  /** Lines of the access log. */
  lines: Record<string, unknown>[]
  request(target: string, request?: TestRequest): Promise<TestResponse>
  put(address: string, body: Buffer, token?: string | null): Promise<TestResponse>
}

interface TestRequest {
  method?: string
  /** Null without a session. */
  token?: string | null
  headers?: Record<string, string>
  body?: Buffer
}

interface TestResponse {
  status: number
  headers: http.IncomingHttpHeaders
  body: Buffer
}

/** The HTTP server of the product with these endpoints and no renderer. */
export async function startEndpointServer(
  doors: Record<string, Endpoint>,
  timeoutMs?: number,
): Promise<EndpointServer> {
  const lines: Record<string, unknown>[] = []
  const write = (line: unknown, _encoding: string, done: () => void) => {
    lines.push(JSON.parse(String(line)))
    done()
  }
  const httpServer = createServer((_request, response) => response.writeHead(200).end('renderer'), {
    log: pino({ level: 'info' }, new Writable({ write })),
    trustProxy: false,
    isHttps: false,
    findOutage: () => Promise.resolve(null),
    endpoints: new Map(Object.entries(doors)),
    ...(timeoutMs && { bodyTimeoutMs: timeoutMs }),
  })
  httpServer.server.listen(0, '127.0.0.1')
  await once(httpServer.server, 'listening')
  const port = portOf(httpServer.server)
  const request = (target: string, options: TestRequest = {}) => sendRequest(port, target, options)
  const put = (address: string, body: Buffer, token: string | null = TOKEN) =>
    request(address, { method: 'PUT', body, token, headers: { 'content-length': String(body.length) } })
  return { httpServer, port, lines, request, put }
}

/** Number of file descriptors of this process on files whose path contains the text. Linux only, elsewhere 0. */
export async function countOpenFiles(text: string): Promise<number> {
  if (process.platform !== 'linux') return 0
  await pause(20)
  const links = fs.readdirSync('/proc/self/fd').map((fd) => {
    try {
      return fs.readlinkSync(`/proc/self/fd/${fd}`)
    } catch {
      return ''
    }
  })
  return links.filter((link) => link.includes(text)).length
}

async function sendRequest(
  port: number,
  target: string,
  { method = 'GET', token = TOKEN, headers = {}, body }: TestRequest,
): Promise<TestResponse> {
  const cookie = token === null ? {} : { cookie: `theme=day; token=${token}` }
  const about = { host: '127.0.0.1', port, path: target, method, agent: false }
  const request = http.request({ ...about, headers: { ...cookie, ...headers } })
  request.end(body)
  const [answer] = (await once(request, 'response')) as [http.IncomingMessage]
  return { status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(await answer.toArray()) }
}
