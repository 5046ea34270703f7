import type { AddressInfo } from 'node:net'

/*
 * The media process behind the HTTP server, started by broadcast.ts: prints the endpoints for publishing and playing
 * and the pid of the media process, and returns its state on request.
 */
const { createServer } = await import('#lib/core/http/server.ts')
const { broadcastEndpoint } = await import('#lib/core/broadcast/broadcast-endpoint.ts')
const { BROADCAST_PATH, streamEndpoints, mediaProcessInfo, startBroadcast, getSfuStatus } = await import(
  '#lib/core/broadcast/broadcast.ts'
)
const { signStreamToken } = await import('#lib/core/broadcast/stream-token.ts')
const { log } = await import('#lib/core/log.ts')

const close = await startBroadcast({ now: true })
const endpoints = new Map([[BROADCAST_PATH, broadcastEndpoint(async () => true)]])
const httpServer = createServer((_request, response) => response.writeHead(404).end(), {
  log,
  trustProxy: false,
  isHttps: false,
  findOutage: async () => null,
  endpoints,
})
const [room, stream] = ['bench', 'camera']
const issuedAt = Math.floor(Date.now() / 1000)
const times = { issuedAt, expiresAt: issuedAt + 86_400 }
const token = (direction: 'publish' | 'play', person = 'nobody') =>
  signStreamToken({ tenantId: 'bench', room, participant: person, stream, direction }, times)
const tokens = Array.from({ length: 200 }, (_, viewer) => token('play', `viewer-${viewer}`))

httpServer.server.listen(0, '127.0.0.1', () => {
  const base = `http://127.0.0.1:${(httpServer.server.address() as AddressInfo).port}`
  const { whip, whep } = streamEndpoints(room, stream)
  process.send?.({
    pid: mediaProcessInfo().pid,
    whip: { url: base + whip, token: token('publish') },
    whep: { url: base + whep, tokens },
  })
})

process.on('message', async (command) => {
  if (command === 'status') {
    const now = await getSfuStatus()
    process.send?.({ sessions: (now?.subscriberCount ?? 0) + (now?.publisherCount ?? 0) })
  }
  if (command === 'end') {
    await close()
    process.exit()
  }
})
