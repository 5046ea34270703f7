import dgram from 'node:dgram'
import { once } from 'node:events'
import packet, { type Answer } from 'dns-packet'

export interface DnsServer {
  /** Address and port. */
  address: string
  /** The records of the server. */
  records: Answer[]
  /** Answers every query with SERVFAIL. */
  fails: boolean
  stop(): Promise<void>
}

const NXDOMAIN = 3
const SERVFAIL = 2

/** A DNS server on this machine over UDP (RFC 1035). */
export async function startDnsServer(): Promise<DnsServer> {
  const socket = dgram.createSocket('udp4')
  const server: DnsServer = {
    address: '',
    records: [],
    fails: false,
    async stop() {
      socket.close()
      await once(socket, 'close')
    },
  }
  socket.on('message', (bytes, { port, address }) => {
    const { id, questions = [] } = packet.decode(bytes)
    const [question] = questions
    if (!question) return
    const named = server.records.filter(({ name }) => name === question.name.toLowerCase())
    const answers = named.filter(({ type }) => type === question.type)
    const code = server.fails ? SERVFAIL : named.length === 0 ? NXDOMAIN : 0
    socket.send(packet.encode({ type: 'response', id, flags: code, questions, answers }), port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  server.address = `127.0.0.1:${socket.address().port}`
  return server
}
