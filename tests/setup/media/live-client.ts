import { execFile } from 'node:child_process'
import { once } from 'node:events'
import http from 'node:http'
import { promisify } from 'node:util'
import { createRequest, writeResponse } from 'astro/app/node'
import { Refusal } from '#lib/core/http/refusal.ts'
import { type Channels, handleLiveRequest } from '#lib/core/live/endpoint.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { portOf } from '../servers/port.ts'

interface LiveEvent {
  id: number
  event: string
  data: { channel?: string; payload?: unknown }
}

export interface LiveClient {
  status: number
  headers: http.IncomingHttpHeaders
  events: LiveEvent[]
  hasEnded: boolean
  /** The local port of the connection. */
  localPort: number
  close(): void
}

/**
 * The endpoint of live updates on a free port with these channels; `actorOf` returns the actor of a request, `straight`
 * whether it may bypass node:http.
 */
export async function startLiveEndpoint(channels: Channels, actorOf: (name: string) => Actor | null, straight = true) {
  const server = http.createServer((request, response) => {
    const incoming = createRequest(request)
    handleLiveRequest(incoming, actorOf(incoming.headers.get('x-actor') ?? ''), channels, {
      response: straight ? response : undefined,
    })
      .catch((error: unknown) => {
        if (!(error instanceof Refusal)) throw error
        return Response.json({ code: error.code }, { status: error.status })
      })
      .then((answer) => writeResponse(answer, response))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  return { port: portOf(server), close }
}

/** Opens a stream and stores its events. */
export function connectLiveClient(
  port: number,
  query: string,
  headers: Record<string, string> = {},
): Promise<LiveClient> {
  return new Promise((resolve, reject) => {
    const request = http.get({ host: '127.0.0.1', port, path: `/v1/live?${query}`, headers })
    request.on('error', reject)
    request.on('response', (response) => {
      const listener: LiveClient = {
        status: response.statusCode ?? 0,
        headers: response.headers,
        events: [],
        hasEnded: false,
        localPort: request.socket?.localPort ?? 0,
        close: () => request.destroy(),
      }
      let rest = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => {
        const blocks = (rest + chunk).split('\n\n')
        rest = blocks.pop() ?? ''
        for (const block of blocks) if (block.includes('data:')) listener.events.push(parse(block))
      })
      response.on('error', () => {})
      response.on('close', () => {
        listener.hasEnded = true
      })
      resolve(listener)
    })
  })
}

/** The payloads received by a listener, without ids and channels. */
export const payloads = ({ events }: LiveClient): unknown[] => events.map(({ data }) => data.payload)

/** Runs a line of code with `inTenant`, `publish` and `endStreamsOfUser` in a separate process on the same database. */
export async function runInOtherProcess(action: string): Promise<void> {
  const script = `
    const { inTenant, pool } = await import('#lib/core/db/db.ts')
    const { publish, endStreamsOfUser } = await import('#lib/core/live/live.ts')
    const { flushPendingNotifications } = await import('#lib/core/live/process-notification.ts')
    ${action}
    await flushPendingNotifications()
    await pool.end()
    process.exit()`
  await promisify(execFile)('node', ['--input-type=module', '-e', script], { env: process.env })
}

function parse(block: string): LiveEvent {
  const line = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1]
  return { id: Number(line('id')), event: line('event') ?? 'message', data: JSON.parse(line('data') ?? '{}') }
}
