import type { StreamGuard } from '#lib/core/broadcast/stream-guard.ts'
import { newId } from '#lib/core/db/id.ts'
import { type DoorFront, doorFront } from '../meeting/door-front.ts'
import { openRelay } from './relay.ts'
import { type Broadcaster, broadcast, type Call, watch } from './webrtc-clients.ts'

export interface House {
  door: DoorFront
  call(room: string, direction: 'publish' | 'play', stream?: string): Call
  /** A broadcaster that sends 30 frames a second until the test's end. */
  onAir(call: Call, codec?: 'H264' | 'VP8', source?: number): Promise<Broadcaster>
  /** A viewer that goes at the test's end. */
  watching(call: Call): ReturnType<typeof watch>
  /** Ends everybody of a test. */
  clear(): void
  close(): Promise<void>
}

/** The real door before the real child process. The configuration is read here, so a test may set it before. */
export async function broadcastHouse(guard: StreamGuard = async () => true): Promise<House> {
  const { broadcastEndpoint: broadcastDoor } = await import('#lib/core/broadcast/broadcast-endpoint.ts')
  const { hlsEndpoint: hlsDoor } = await import('#lib/core/broadcast/hls/hls-endpoint.ts')
  const { stopBroadcast } = await import('#lib/core/broadcast/broadcast.ts')
  const { signStreamToken: signStream } = await import('#lib/core/broadcast/stream-token.ts')
  const door = await doorFront({ '/v1/broadcast/': broadcastDoor(guard), '/v1/hls/': hlsDoor(guard) })
  const closing: (() => void)[] = []

  function call(room: string, direction: 'publish' | 'play', stream = 'camera'): Call {
    const issuedAt = Math.floor(Date.now() / 1000)
    const claims = { tenantId: newId(), room, person: newId(), stream, direction }
    const path = `${direction === 'play' ? 'whep' : 'whip'}/${room}/${stream}`
    const token = signStream(claims, { issuedAt, expiresAt: issuedAt + 60 })
    return { url: `http://127.0.0.1:${door.port}/v1/broadcast/${path}`, token }
  }

  return {
    door,
    call,
    async onAir(to, codec, source) {
      const one = await broadcast(to, codec, source)
      const beat = setInterval(() => one.frame(), 33)
      closing.push(() => {
        clearInterval(beat)
        one.close()
      })
      return one
    },
    async watching(to) {
      const one = await watch(to)
      closing.push(one.close)
      return one
    },
    clear() {
      for (const close of closing.splice(0)) close()
    },
    async close() {
      await stopBroadcast()
      await door.front.drain(50)
    },
  }
}

/** A call whose media goes through a relay that loses this share of the packets, the same ones each time. */
export function lossy(call: Call, share: number): Call & { lost(): number; end(): void } {
  const { through, change, lost, close } = openRelay()
  change({ loss: share })
  return { ...call, through, lost, end: close }
}
