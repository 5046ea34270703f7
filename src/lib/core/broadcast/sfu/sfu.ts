import dgram from 'node:dgram'
import { lookup } from 'node:dns/promises'
import ndc from 'node-datachannel'
import type { Answers, Asked, Question, Settings, Told } from './protocol.ts'
import { openRooms, Refused } from './room.ts'
import { BadOffer } from './sdp.ts'
import { startTaps } from './tap-control.ts'

/*
 * The media plane, a process of its own: see broadcast.ts, which starts it and speaks with it. Ends with its parent.
 */
type Rooms = ReturnType<typeof openRooms>

let rooms: Rooms | undefined
let taps: ReturnType<typeof startTaps> | undefined
let cpu = { used: process.cpuUsage(), at: performance.now() }

process.on('message', (message: Question) => void answer(message))
process.on('disconnect', () => void end())
process.on('SIGTERM', () => void end())
// Ctrl-C reaches everybody in the terminal; the parent ends this process in its turn.
process.on('SIGINT', () => {})
// One work that fails unseen is no reason to end all rooms.
process.on('unhandledRejection', (error) =>
  tell({ note: error instanceof Error ? (error.stack ?? '') : String(error) }),
)

async function answer({ question, asked }: Question): Promise<void> {
  try {
    tell({ answer: question, value: await obey(asked) })
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error)
    const fault = error instanceof BadOffer || error instanceof Refused ? error.fault : 'failed'
    tell({ answer: question, fault, words })
  }
}

async function obey(asked: Asked): Promise<Answers[keyof Answers]> {
  if (asked.op === 'settings') return begin(asked.settings)
  if (!rooms || !taps) throw new Error('no settings yet')
  switch (asked.op) {
    case 'publish':
      return rooms.publish(asked)
    case 'play':
      return rooms.play(asked)
    case 'end':
      return { ended: rooms.end(asked.resource, asked.person) }
    case 'expel':
      return { ended: rooms.expel(asked.room, asked.person, asked) }
    case 'clear':
      return { ended: rooms.clear(asked.room) }
    case 'tap':
      return taps.obey(asked.order)
    case 'status':
      return status(rooms)
  }
}

async function begin({ port, bind, hosts, viewers }: Settings): Promise<Answers['settings']> {
  await isFree(port, bind)
  const addresses = (await Promise.all(hosts.map(addressesOf))).flat()
  rooms = openRooms({
    net: { port, bind, hosts: addresses },
    viewers,
    onStream: (stream) => tell({ stream }),
    onCodecMissing: (codecMissing) => tell({ codecMissing }),
  })
  taps = startTaps(rooms.onPublisher, (news) => tell({ news }))
  return { hosts: addresses }
}

function status(of: Rooms): Answers['status'] {
  const { streams, viewers } = of.status()
  const now = performance.now()
  const { user, system } = process.cpuUsage(cpu.used)
  const share = (user + system) / 1000 / Math.max(1, now - cpu.at)
  cpu = { used: process.cpuUsage(), at: now }
  const publishers = streams.filter(({ up }) => up).length
  return { streams, viewers, publishers, cpu: share, memory: process.memoryUsage.rss() }
}

function tell(told: Told): void {
  if (process.connected) process.send?.(told)
}

let ending: Promise<void> | undefined
function end(): Promise<void> {
  ending ??= (async () => {
    rooms?.close()
    await taps?.close()
    ndc.cleanup()
    process.exit(0)
  })()
  return ending
}

// libdatachannel would fail at the first connection, with words that name no port.
function isFree(port: number, bind: string | null): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = dgram.createSocket('udp4')
    socket.once('error', reject)
    socket.bind(port, bind ?? '0.0.0.0', () => socket.close(() => resolve()))
  })
}

async function addressesOf(host: string): Promise<string[]> {
  return (await lookup(host, { all: true })).map(({ address }) => address)
}
