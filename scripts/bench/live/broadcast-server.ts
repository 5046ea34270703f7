import type { AddressInfo } from 'node:net'

/*
 * The media process behind the HTTP server, started by broadcast.ts: prints the endpoints for publishing and playing
 * and the pid of the media process, and returns its state on request.
 */
const { createServer } = await import('#lib/core/http/server.ts')
const { broadcastEndpoint } = await import('#lib/core/broadcast/broadcast-endpoint.ts')
const {
  BROADCAST_PATH,
  streamEndpoints: endpoints,
  mediaProcessInfo: running,
  startBroadcast,
  getSfuStatus: status,
} = await import('#lib/core/broadcast/broadcast.ts')
const { signStreamToken: signStream } = await import('#lib/core/broadcast/stream-token.ts')
const { log } = await import('#lib/core/log.ts')

const close = await startBroadcast({ now: true })
const endpoints = new Map([[BROADCAST_PATH, broadcastEndpoint(async () => true)]])
const front = createServer((_request, response) => response.writeHead(404).end(), {
  log,
  trustProxy: false,
  isHttps: false,
  isReady: async () => true,
  endpoints: endpoints,
})
const [room, stream] = ['bench', 'camera']
const issuedAt = Math.floor(Date.now() / 1000)
const times = { issuedAt, expiresAt: issuedAt + 86_400 }
const token = (direction: 'publish' | 'play', person = 'nobody') =>
  signStream({ tenantId: 'bench', room, participant: person, stream, direction }, times)
const tokens = Array.from({ length: 200 }, (_, viewer) => token('play', `viewer-${viewer}`))

front.server.listen(0, '127.0.0.1', () => {
  const base = `http://127.0.0.1:${(front.server.address() as AddressInfo).port}`
  const { whip, whep } = endpoints(room, stream)
  process.send?.({
    pid: running().pid,
    whip: { url: base + whip, token: token('publish') },
    whep: { url: base + whep, tokens },
  })
})

process.on('message', async (command) => {
  if (command === 'status') {
    const now = await status()
    process.send?.({ sessions: (now?.subscriberCount ?? 0) + (now?.publisherCount ?? 0) })
  }
  if (command === 'end') {
    await close()
    process.exit()
  }
})
