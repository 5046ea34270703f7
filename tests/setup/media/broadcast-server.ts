import type { StreamGuard } from '#lib/core/broadcast/stream-guard.ts'
import { newId } from '#lib/core/db/id.ts'
import { type EndpointServer, startEndpointServer } from '../meeting/endpoint-server.ts'
import { openRelay } from './relay.ts'
import { connectPublisher, connectSubscriber, type StreamRequest, type TestPublisher } from './webrtc-clients.ts'

export interface BroadcastServer {
  endpoint: EndpointServer
  requestFor(room: string, direction: 'publish' | 'play', stream?: string): StreamRequest
  /** A publisher that sends 30 frames per second until the end of the test. */
  startPublisher(requestFor: StreamRequest, codec?: 'H264' | 'VP8', source?: number): Promise<TestPublisher>
  /** A subscriber that disconnects at the end of the test. */
  startSubscriber(requestFor: StreamRequest): ReturnType<typeof connectSubscriber>
  /** Ends all connections of a test. */
  clear(): void
  close(): Promise<void>
}

/**
 * The real endpoint in front of the real media process. The configuration is read here, so a test may set it before.
 */
export async function startBroadcastServer(guard: StreamGuard = async () => true): Promise<BroadcastServer> {
  const { broadcastEndpoint } = await import('#lib/core/broadcast/broadcast-endpoint.ts')
  const { hlsEndpoint } = await import('#lib/core/broadcast/hls/hls-endpoint.ts')
  const { stopBroadcast } = await import('#lib/core/broadcast/broadcast.ts')
  const { signStreamToken } = await import('#lib/core/broadcast/stream-token.ts')
  const endpoint = await startEndpointServer({
    '/v1/broadcast/': broadcastEndpoint(guard),
    '/v1/hls/': hlsEndpoint(guard),
  })
  const closing: (() => void)[] = []

  function requestFor(room: string, direction: 'publish' | 'play', stream = 'camera'): StreamRequest {
    const issuedAt = Math.floor(Date.now() / 1000)
    const claims = { tenantId: newId(), room, participant: newId(), stream, direction }
    const path = `${direction === 'play' ? 'whep' : 'whip'}/${room}/${stream}`
    const token = signStreamToken(claims, { issuedAt, expiresAt: issuedAt + 60 })
    return { url: `http://127.0.0.1:${endpoint.port}/v1/broadcast/${path}`, token }
  }

  return {
    endpoint,
    requestFor,
    async startPublisher(to, codec, source) {
      const publisher = await connectPublisher(to, codec, source)
      const beat = setInterval(() => publisher.sendFrame(), 33)
      closing.push(() => {
        clearInterval(beat)
        publisher.close()
      })
      return publisher
    },
    async startSubscriber(to) {
      const subscriber = await connectSubscriber(to)
      closing.push(subscriber.close)
      return subscriber
    },
    clear() {
      for (const close of closing.splice(0)) close()
    },
    async close() {
      await stopBroadcast()
      await endpoint.httpServer.drain(50)
    },
  }
}

/** A request whose media passes a relay that drops this share of the packets, always the same ones. */
export function throughLossyRelay(call: StreamRequest, share: number): StreamRequest & { lost(): number; end(): void } {
  const { through, setConditions, lost, close } = openRelay()
  setConditions({ loss: share })
  return { ...call, through, lost, end: close }
}
