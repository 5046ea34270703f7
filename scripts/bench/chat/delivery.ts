import http from 'node:http'
import net from 'node:net'
import type pg from 'pg'
import { type Product, startProduct } from '../product.ts'
import { limitRow, type Row } from '../report.ts'
import { type DeliverySchool, makeDeliverySchool } from './delivery-school.ts'

/** Members with an open stream of one conversation; BENCH_CHAT_MEMBERS replaces the number. */
const MEMBERS = Number(process.env.BENCH_CHAT_MEMBERS ?? 2000)
const RATE = 100
const SECONDS = 20
/** Messages of a member are limited to 120 a minute. */
const SENDERS = 100

/** Messages in a conversation of many members, in one process and in two, compared with those between two members. */
export async function chatDelivery(client: pg.Client, database: string): Promise<Row[]> {
  const school = await makeDeliverySchool(client, 'dostavka', MEMBERS)
  const more = { API_RATE: '1000000000', STREAMS_PER_ADDRESS: '100000' }
  const first = await startProduct(database, { more })
  const second = await startProduct(database, { more })
  const pair = await measure(school, [first], { members: 2, rate: 10 })
  const single = await measure(school, [first], { members: MEMBERS, rate: RATE })
  const double = await measure(school, [first, second], { members: MEMBERS, rate: RATE })
  for (const product of [first, second]) await product.stop()
  const rowsOf = (label: string, { p95, wrong }: Delivery): Row[] => [
    { ...limitRow(`${label}, p95 to p50 of two`, p95 / pair.p50, '', 20, 1), ours: ms(p95), baseline: ms(pair.p50) },
    limitRow(`${label}, messages missing, twice or out of order`, wrong, '', 0),
  ]
  const crowd = `delivery to ${MEMBERS} at ${RATE}/s`
  return [...rowsOf(`${crowd}, one process`, single), ...rowsOf(`${crowd}, two processes`, double)]
}

const ms = (value: number): string => `${value.toFixed(1)} ms`

interface Delivery {
  p50: number
  p95: number
  /** Messages that a member did not receive once and in order. */
  wrong: number
}

interface Listener {
  socket: net.Socket
  received: number
  lastSeq: number
  /** Messages that did not follow the one before. */
  gaps: number
  /** The bytes after the last complete line. */
  rest: Buffer
}

/** Milliseconds from sending to arrival, of all members; of 4,000,000 messages an array of numbers would be slow. */
interface Delays {
  values: Float64Array
  length: number
}

async function measure(
  school: DeliverySchool,
  products: readonly Product[],
  { members, rate }: { members: number; rate: number },
): Promise<Delivery> {
  const count = rate * (members === 2 ? 5 : SECONDS)
  const delays: Delays = { values: new Float64Array(members * count), length: 0 }
  const listeners: Listener[] = []
  for (let start = 0; start < members; start += 50) {
    const tokens = school.tokens.slice(start, Math.min(start + 50, members))
    const opened = tokens.map((token, index) =>
      listen(products[(start + index) % products.length], school.conversationId, token, delays),
    )
    listeners.push(...(await Promise.all(opened)))
  }
  const sent: Promise<void>[] = []
  const startedAt = performance.now()
  for (let n = 0; n < count; n += 1) {
    await until(startedAt + (n * 1000) / rate)
    const product = products[n % products.length]
    const token = school.tokens[n % Math.min(SENDERS, members)] ?? ''
    if (product) sent.push(send(product, school.conversationId, token))
  }
  await Promise.all(sent)
  for (let waited = 0; waited < 100 && listeners.some(({ received }) => received < count); waited += 1)
    await new Promise((resolve) => setTimeout(resolve, 100))
  for (const { socket } of listeners) socket.destroy()
  const sorted = delays.values.subarray(0, delays.length).sort()
  const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? Number.POSITIVE_INFINITY
  const wrong = listeners.reduce((sum, { received, gaps }) => sum + Math.abs(count - received) + gaps, 0)
  return { p50: at(0.5), p95: at(0.95), wrong }
}

const until = (at: number) => new Promise((resolve) => setTimeout(resolve, Math.max(0, at - performance.now())))

// The text of a message is the time at which it was sent, in milliseconds of this process; it follows the number.
const SEQ = Buffer.from('"seq": ')
const SENT_AT = Buffer.from('"body": "')

interface ReadChunk {
  bytes: Buffer
  messages: { seq: number; sentAt: number }[]
  /** Where the incomplete message at the end begins. */
  end: number
}

/** The chunk that was read last: most members get the same bytes one after another. */
let lastChunk: ReadChunk = { bytes: Buffer.alloc(0), messages: [], end: 0 }

/** Reads the complete messages in the bytes and returns the bytes after them. */
function readMessages(listener: Listener, bytes: Buffer, delays: Delays): Buffer {
  const now = performance.now()
  if (!lastChunk.bytes.equals(bytes)) lastChunk = readChunk(bytes)
  for (const { seq, sentAt } of lastChunk.messages) {
    delays.values[delays.length] = now - sentAt
    delays.length += 1
    if (listener.received > 0 && seq !== listener.lastSeq + 1) listener.gaps += 1
    listener.received += 1
    listener.lastSeq = seq
  }
  return bytes.subarray(lastChunk.end)
}

function readChunk(bytes: Buffer): ReadChunk {
  const messages: ReadChunk['messages'] = []
  let position = 0
  for (;;) {
    const seqAt = bytes.indexOf(SEQ, position)
    const end = seqAt === -1 ? -1 : bytes.indexOf(10, seqAt)
    if (end === -1) return { bytes, messages, end: position }
    const seq = Number.parseInt(bytes.toString('latin1', seqAt + SEQ.length, seqAt + SEQ.length + 10), 10)
    const sentAt = bytes.indexOf(SENT_AT, seqAt) + SENT_AT.length
    messages.push({ seq, sentAt: Number.parseFloat(bytes.toString('latin1', sentAt, sentAt + 16)) })
    position = end + 1
  }
}

function listen(
  product: Product | undefined,
  conversationId: string,
  token: string,
  delays: Delays,
): Promise<Listener> {
  if (!product) throw new Error('there is no process')
  return new Promise((resolve, reject) => {
    const socket = net.connect(product.port, '127.0.0.1')
    const listener: Listener = { socket, received: 0, lastSeq: 0, gaps: 0, rest: Buffer.alloc(0) }
    let isReady = false
    socket.on('error', reject)
    socket.on('data', (chunk) => {
      const bytes = listener.rest.length > 0 ? Buffer.concat([listener.rest, chunk]) : chunk
      if (!isReady) {
        isReady = bytes.includes('event: ready')
        listener.rest = isReady ? Buffer.alloc(0) : bytes
        if (isReady) resolve(listener)
        return
      }
      listener.rest = readMessages(listener, bytes, delays)
    })
    const headers = Object.entries(product.headersFor('go', token)).map(([name, value]) => `${name}: ${value}`)
    const channel = encodeURIComponent(`conversation:${conversationId}`)
    socket.write(`GET /v1/live?channels=${channel} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n`)
  })
}

const agent = new http.Agent({ keepAlive: true, maxSockets: 64 })

async function send(product: Product, conversationId: string, token: string): Promise<void> {
  const { host = '', cookie = '' } = product.headersFor('go', token)
  const body = JSON.stringify({
    conversationId,
    messageId: crypto.randomUUID(),
    body: performance.now().toFixed(3),
  })
  const about = {
    'content-type': 'application/json',
    'content-length': String(body.length),
    accept: 'application/json',
  }
  const options = { host: '127.0.0.1', port: product.port, agent, method: 'POST', path: '/v1/module/chat/sendMessage' }
  await new Promise<void>((resolve, reject) => {
    const request = http.request({ ...options, headers: { host, cookie, ...about } }, (response) => {
      response.resume()
      response.on('end', () => {
        if (response.statusCode === 200) resolve()
        else reject(new Error(`a message was refused with ${response.statusCode}`))
      })
    })
    request.on('error', reject)
    request.end(body)
  })
}
