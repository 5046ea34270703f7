import net from 'node:net'
import path from 'node:path'
import { atEnd, temporary } from './processes.ts'

export interface Count {
  /**
   * Round trips: messages that the client sends after a response, regardless of their number before the next one.
   * Pipelined statements are one; a commit that is not awaited is one too.
   */
  trips: number
  /** Statements in them, without begin, commit and setting the tenant. */
  statements: number
}

export interface Wire {
  socketDir: string
  counted: Count
}

/** A Unix socket that forwards everything to PostgreSQL and counts the client's messages. */
export async function openWire(server: string): Promise<Wire> {
  const socketDir = temporary('wire')
  const counted = { trips: 0, statements: 0 }
  const front = net.createServer((client) => {
    const back = net.connect(path.join(server, SOCKET))
    const read = reader(counted)
    let isAnswered = true
    client.on('data', (chunk) => {
      if (isAnswered) counted.trips += 1
      isAnswered = false
      read(Buffer.from(chunk))
      back.write(chunk)
    })
    back.on('data', (chunk) => {
      isAnswered = true
      client.write(chunk)
    })
    for (const [first, other] of [
      [client, back],
      [back, client],
    ] as const) {
      first.on('close', () => other.destroy())
      first.on('error', () => other.destroy())
    }
  })
  await new Promise<void>((resolve) => front.listen(path.join(socketDir, SOCKET), resolve))
  atEnd(() => front.close())
  return { socketDir, counted }
}

const SOCKET = '.s.PGSQL.5432'
const HOUSEKEEPING = /^\s*(begin|commit|rollback|select set_config\()/i

// Frontend messages (PostgreSQL's protocol 3, "Message Formats"): the first has no type, then type, length, content.
function reader(counted: Count): (chunk: Buffer) => void {
  let rest = Buffer.alloc(0)
  let started = false
  return (chunk) => {
    rest = Buffer.concat([rest, chunk])
    for (;;) {
      const head = started ? 1 : 0
      if (rest.length < head + 4) return
      const size = head + rest.readInt32BE(head)
      if (rest.length < size) return
      if (started) note(counted, String.fromCharCode(rest[0] ?? 0), rest.subarray(5, size))
      // An SSLRequest (8 bytes) comes before the startup message.
      else started = size !== 8
      rest = rest.subarray(size)
    }
  }
}

function note(counted: Count, type: string, content: Buffer): void {
  if (type === 'Q') {
    const parts = content.toString('utf8', 0, content.length - 1).split(';')
    counted.statements += parts.filter((part) => part.trim() !== '' && !HOUSEKEEPING.test(part)).length
  }
  if (type === 'E') counted.statements += 1
}
