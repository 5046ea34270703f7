import dgram from 'node:dgram'

/*
 * A simulated network between clients of the media process and its UDP port: a relay that SDP answers contain in place
 * of the server. Clients must not offer candidates, so that the server reaches them only by the relay.
 */

interface NetworkConditions {
  /** Of each direction, including the headers of IP and UDP; null: unlimited. */
  bitsPerSecond: number | null
  /** Share of dropped media packets, always the same ones. */
  loss: number
  /** Drops all packets. */
  isCut: boolean
}

export interface Relay {
  /** The SDP answer with an address of the relay in place of the server's: each connection has a separate one. */
  through(answer: string): Promise<string>
  setConditions(weather: Partial<NetworkConditions>): void
  /** Changes the addresses of the clients as seen by the server, as after a change of network. */
  changeAddress(): Promise<void>
  /** Number of dropped packets. */
  lost(): number
  /** Bytes delivered to clients. */
  deliveredBytes(): number
  close(): void
}

/** Packets that would be queued for longer, in ms, are dropped. */
const MAX_QUEUE_MS = 500
/** Of IP and UDP. */
const HEADER_BYTES = 28

/** Opens a relay without limits and losses. */
export function openRelay(): Relay {
  const weather: NetworkConditions = { bitsPerSecond: null, loss: 0, isCut: false }
  const ways: RelayPath[] = []
  const narrow = { up: 0, down: 0 }
  const random = createRandom(7)
  const counts = { lost: 0, brought: 0 }

  function pass(packet: Buffer, direction: 'up' | 'down', send: () => void): void {
    const wait = waitFor(packet, direction)
    if (weather.isCut || wait > MAX_QUEUE_MS || (isMedia(packet) && random() < weather.loss)) {
      counts.lost += 1
      return
    }
    narrow[direction] = performance.now() + wait
    if (wait === 0) send()
    else setTimeout(send, wait)
  }

  function waitFor({ length }: Buffer, direction: 'up' | 'down'): number {
    if (weather.bitsPerSecond === null) return 0
    const queue = Math.max(0, narrow[direction] - performance.now())
    return queue + ((length + HEADER_BYTES) * 8000) / weather.bitsPerSecond
  }

  function carry(way: RelayPath, far: dgram.Socket): void {
    way.far = far
    far.on('message', (packet) =>
      pass(packet, 'down', () => {
        counts.brought += packet.length
        if (way.client) send(way.near, packet, way.client.port, way.client.address)
      }),
    )
  }

  return {
    async through(answer) {
      const [, host = '', port = ''] = /a=candidate:\S+ 1 UDP \d+ (\d+\.\d+\.\d+\.\d+) (\d+)/.exec(answer) ?? []
      const near = await bindSocket()
      const way: RelayPath = { near, far: near, client: null }
      carry(way, await bindSocket())
      ways.push(way)
      near.on('message', (packet, from) => {
        way.client = from
        pass(packet, 'up', () => send(way.far, packet, Number(port), host))
      })
      const line = `a=candidate:1 1 UDP 2114977791 ${host} ${near.address().port} typ host`
      return answer.replace(/^a=candidate:.*\r\n/gm, '').replace('a=end-of-candidates', `${line}\r\n$&`)
    },
    setConditions: (more) => void Object.assign(weather, more),
    async changeAddress() {
      for (const way of ways) {
        const { far } = way
        carry(way, await bindSocket())
        far.close()
      }
    },
    lost: () => counts.lost,
    deliveredBytes: () => counts.brought,
    close() {
      for (const { near, far } of ways.splice(0)) for (const socket of [near, far]) socket.close()
    },
  }
}

interface RelayPath {
  /** The socket of the client side. */
  near: dgram.Socket
  /** The socket of the server side. */
  far: dgram.Socket
  client: dgram.RemoteInfo | null
}

const isMedia = ([first = 0]: Buffer): boolean => first >= 128 && first <= 191

function send(by: dgram.Socket, packet: Buffer, port: number, host: string): void {
  try {
    by.send(packet, port, host)
  } catch {
    // Closed while the packet was queued.
  }
}

async function bindSocket(): Promise<dgram.Socket> {
  const socket = dgram.createSocket('udp4')
  await new Promise<void>((resolve) => socket.bind(0, resolve))
  return socket
}

// Park and Miller's generator.
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 48_271) % 0x7fffffff
    return state / 0x7fffffff
  }
}
