import dgram from 'node:dgram'
import { newId } from '#lib/core/db/id.ts'
import { type Broadcaster, broadcast, type Call, watch } from './broadcaster.ts'
import { type DoorFront, doorFront } from './door-front.ts'

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
export async function broadcastHouse(): Promise<House> {
  const { broadcastDoor } = await import('#lib/core/broadcast/broadcast-door.ts')
  const { stopBroadcast } = await import('#lib/core/broadcast/broadcast.ts')
  const { signStream } = await import('#lib/core/broadcast/stream-ticket.ts')
  const door = await doorFront({ '/v1/broadcast/': broadcastDoor })
  const closing: (() => void)[] = []

  function call(room: string, direction: 'publish' | 'play', stream = 'camera'): Call {
    const issued = Math.floor(Date.now() / 1000)
    const claims = { tenantId: newId(), room, person: newId(), stream, direction }
    const path = `${direction === 'play' ? 'whep' : 'whip'}/${room}/${stream}`
    const token = signStream(claims, { issued, expires: issued + 60 })
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
  const sockets: dgram.Socket[] = []
  const random = seeded(7)
  let lost = 0
  const drops = (packet: Buffer) => {
    const media = (packet[0] ?? 0) >= 128 && (packet[0] ?? 0) <= 191
    if (!media || random() >= share) return false
    lost += 1
    return true
  }
  async function through(answer: string): Promise<string> {
    const [, host = '', port = ''] = /a=candidate:\S+ 1 UDP \d+ (\d+\.\d+\.\d+\.\d+) (\d+)/.exec(answer) ?? []
    const near = await bound(sockets)
    const far = await bound(sockets)
    let client: dgram.RemoteInfo | undefined
    near.on('message', (packet, from) => {
      client = from
      if (!drops(packet)) far.send(packet, Number(port), host)
    })
    far.on('message', (packet) => {
      if (client && !drops(packet)) near.send(packet, client.port, client.address)
    })
    const line = `a=candidate:1 1 UDP 2114977791 ${host} ${near.address().port} typ host`
    return answer.replace(/^a=candidate:.*\r\n/gm, '').replace('a=end-of-candidates', `${line}\r\n$&`)
  }
  const end = () => {
    for (const socket of sockets.splice(0)) socket.close()
  }
  // Clients tell no addresses of their own, so the server finds this one at the relay only.
  return { ...call, through, lost: () => lost, end }
}

async function bound(sockets: dgram.Socket[]): Promise<dgram.Socket> {
  const socket = dgram.createSocket('udp4')
  sockets.push(socket)
  await new Promise<void>((resolve) => socket.bind(0, resolve))
  return socket
}

// Park and Miller.
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 48_271) % 0x7fffffff
    return state / 0x7fffffff
  }
}
