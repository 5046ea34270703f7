import { once } from 'node:events'
import net from 'node:net'
import { portOf } from './port.ts'
import { array, bulk, error, integer, pushed, readCommands, simple } from './resp.ts'

export interface RedisServer {
  /** The value of REDIS_URL. */
  url: string
  /** Closes all connections, as a restart does. */
  cut(): void
  stop(): Promise<void>
}

interface Client {
  socket: net.Socket
  channels: Set<string>
  protocol: 2 | 3
}

/** A small server of Redis' protocol (RESP 2 and 3) that supports publish and subscribe. */
export async function startRedisServer(): Promise<RedisServer> {
  const clients = new Set<Client>()
  const server = net.createServer((socket) => {
    const client: Client = { socket, channels: new Set(), protocol: 2 }
    clients.add(client)
    let waiting: Buffer = Buffer.alloc(0)
    socket.on('error', () => {})
    socket.on('close', () => clients.delete(client))
    socket.on('data', (chunk: Buffer) => {
      const { commands, rest } = readCommands(Buffer.concat([waiting, chunk]))
      waiting = rest
      for (const command of commands) socket.write(answer(client, command, clients))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const cut = () => {
    for (const { socket } of clients) socket.destroy()
  }
  const stop = async () => {
    cut()
    server.close()
    await once(server, 'close')
  }
  return { url: `redis://127.0.0.1:${portOf(server)}`, cut, stop }
}

function answer(client: Client, [name = '', ...args]: string[], clients: Set<Client>): string {
  switch (name.toUpperCase()) {
    case 'PING':
      return client.channels.size > 0 && client.protocol === 2
        ? array([bulk('pong'), bulk(args[0] ?? '')])
        : simple(args[0] ?? 'PONG')
    case 'HELLO':
      return hello(client, args[0])
    case 'INFO':
      return bulk('# Server\r\nredis_version:7.4.0\r\n# Persistence\r\nloading:0\r\n')
    case 'AUTH':
    case 'SELECT':
    case 'CLIENT':
    case 'QUIT':
      return simple('OK')
    case 'SUBSCRIBE':
      return args.map((channel) => confirm(client, 'subscribe', channel)).join('')
    case 'UNSUBSCRIBE':
      return (args.length > 0 ? args : [...client.channels])
        .map((channel) => confirm(client, 'unsubscribe', channel))
        .join('')
    case 'PUBLISH':
      return integer(publish(clients, args[0] ?? '', args[1] ?? ''))
    default:
      return error(`ERR unknown command '${name}'`)
  }
}

function hello(client: Client, version: string | undefined): string {
  if (version !== undefined && version !== '2' && version !== '3') return error('NOPROTO unsupported protocol version')
  client.protocol = version === '3' ? 3 : 2
  const facts = [bulk('server'), bulk('redis'), bulk('version'), bulk('7.4.0'), bulk('proto'), integer(client.protocol)]
  return client.protocol === 3 ? `%${facts.length / 2}\r\n${facts.join('')}` : array(facts)
}

function confirm(client: Client, action: 'subscribe' | 'unsubscribe', channel: string): string {
  if (action === 'subscribe') client.channels.add(channel)
  else client.channels.delete(channel)
  return pushed(client.protocol, [bulk(action), bulk(channel), integer(client.channels.size)])
}

function publish(clients: Set<Client>, channel: string, message: string): number {
  const hearers = [...clients].filter(({ channels }) => channels.has(channel))
  for (const { socket, protocol } of hearers)
    socket.write(pushed(protocol, [bulk('message'), bulk(channel), bulk(message)]))
  return hearers.length
}
