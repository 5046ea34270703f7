import dgram from 'node:dgram'
import { lookup } from 'node:dns/promises'
import ndc from 'node-datachannel'
import type { SfuMessage, SfuRequest, SfuRequestMessage, SfuResponses, SfuSettings } from './protocol.ts'
import { createRooms, SfuError } from './room.ts'
import { OfferError } from './sdp.ts'
import { startStreamOutputs } from './stream-outputs.ts'

/*
 * Entry point of the media process (SFU), a child process that media-process.ts starts. It ends with its parent.
 */
type Rooms = ReturnType<typeof createRooms>

let rooms: Rooms | undefined
let outputs: ReturnType<typeof startStreamOutputs> | undefined
let cpu = { used: process.cpuUsage(), at: performance.now() }

process.on('message', (message: SfuRequestMessage) => void handleMessage(message))
process.on('disconnect', () => void shutDown())
process.on('SIGTERM', () => void shutDown())
// Ctrl-C signals all processes of the terminal; the parent ends this one in its own shutdown.
process.on('SIGINT', () => {})
// An unhandled rejection must not end the streams of all rooms.
process.on('unhandledRejection', (error) =>
  sendMessage({ warning: error instanceof Error ? (error.stack ?? '') : String(error) }),
)

async function handleMessage({ requestId, request }: SfuRequestMessage): Promise<void> {
  try {
    sendMessage({ requestId, value: await execute(request) })
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    const fault = error instanceof OfferError || error instanceof SfuError ? error.fault : 'failed'
    sendMessage({ requestId, fault, message })
  }
}

async function execute(request: SfuRequest): Promise<SfuResponses[keyof SfuResponses]> {
  if (request.op === 'settings') return configure(request.settings)
  if (!rooms || !outputs) throw new Error('the settings are missing')
  switch (request.op) {
    case 'publish':
      return rooms.publish(request)
    case 'play':
      return rooms.play(request)
    case 'endSession':
      return { ended: rooms.endSession(request.resource, request.participant) }
    case 'disconnect':
      return { ended: rooms.disconnect(request.room, request.participant, request) }
    case 'closeRoom':
      return { ended: rooms.closeRoom(request.room) }
    case 'output':
      return outputs.execute(request.command)
    case 'status':
      return collectStatus(rooms)
  }
}

async function configure({
  port,
  bind,
  hosts,
  viewers: maxSubscribers,
}: SfuSettings): Promise<SfuResponses['settings']> {
  await requireFreePort(port, bind)
  const addresses = (await Promise.all(hosts.map(resolveAddresses))).flat()
  rooms = createRooms({
    network: { port, bind, hosts: addresses },
    maxSubscribers,
    onStreamState: (stream) => sendMessage({ stream }),
    onCodecMissing: (codecMissing) => sendMessage({ codecMissing }),
  })
  outputs = startStreamOutputs(rooms.onPublisher, (outputEvent) => sendMessage({ outputEvent }))
  return { hosts: addresses }
}

function collectStatus(rooms: Rooms): SfuResponses['status'] {
  const { streams, subscriberCount } = rooms.status()
  const now = performance.now()
  const { user, system } = process.cpuUsage(cpu.used)
  const cpuShare = (user + system) / 1000 / Math.max(1, now - cpu.at)
  cpu = { used: process.cpuUsage(), at: now }
  const publisherCount = streams.filter(({ isPublished }) => isPublished).length
  return {
    streams,
    subscriberCount,
    publisherCount,
    cpuShare,
    memoryBytes: process.memoryUsage.rss(),
  }
}

function sendMessage(message: SfuMessage): void {
  if (process.connected) process.send?.(message)
}

let shutdown: Promise<void> | undefined
function shutDown(): Promise<void> {
  shutdown ??= (async () => {
    rooms?.close()
    await outputs?.close()
    ndc.cleanup()
    process.exit(0)
  })()
  return shutdown
}

// libdatachannel would fail only at the first connection, with a message that does not name the port.
function requireFreePort(port: number, bind: string | null): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = dgram.createSocket('udp4')
    socket.once('error', reject)
    socket.bind(port, bind ?? '0.0.0.0', () => socket.close(() => resolve()))
  })
}

async function resolveAddresses(host: string): Promise<string[]> {
  return (await lookup(host, { all: true })).map(({ address }) => address)
}
