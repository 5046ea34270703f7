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
  seqs: number[]
  rest: string
}

async function measure(
  school: DeliverySchool,
  products: readonly Product[],
  { members, rate }: { members: number; rate: number },
): Promise<Delivery> {
  const delays: number[] = []
  const listeners: Listener[] = []
  for (let start = 0; start < members; start += 50) {
    const tokens = school.tokens.slice(start, Math.min(start + 50, members))
    const opened = tokens.map((token, index) =>
      listen(products[(start + index) % products.length], school.conversationId, token, delays),
    )
    listeners.push(...(await Promise.all(opened)))
  }
  const count = rate * (members === 2 ? 5 : SECONDS)
  const sent: Promise<void>[] = []
  const startedAt = performance.now()
  for (let n = 0; n < count; n += 1) {
    await until(startedAt + (n * 1000) / rate)
    const product = products[n % products.length]
    const token = school.tokens[n % Math.min(SENDERS, members)] ?? ''
    if (product) sent.push(send(product, school.conversationId, token))
  }
  await Promise.all(sent)
  for (let waited = 0; waited < 100 && listeners.some(({ seqs }) => seqs.length < count); waited += 1)
    await new Promise((resolve) => setTimeout(resolve, 100))
  for (const { socket } of listeners) socket.destroy()
  delays.sort((a, b) => a - b)
  const at = (share: number) => delays[Math.floor((delays.length - 1) * share)] ?? Number.POSITIVE_INFINITY
  const wrongOf = ({ seqs }: Listener) =>
    count - seqs.length + seqs.filter((seq, index) => index > 0 && seq !== (seqs[index - 1] ?? 0) + 1).length
  return { p50: at(0.5), p95: at(0.95), wrong: listeners.reduce((sum, each) => sum + Math.abs(wrongOf(each)), 0) }
}

const until = (at: number) => new Promise((resolve) => setTimeout(resolve, Math.max(0, at - performance.now())))

/** The text of a message contains the time at which it was sent, in milliseconds of this process. */
const SENT_AT = /"body": "(\d{1,12}\.\d{3})"/
const SEQ = /"seq": (\d{1,9}),/

function listen(
  product: Product | undefined,
  conversationId: string,
  token: string,
  delays: number[],
): Promise<Listener> {
  if (!product) throw new Error('there is no process')
  return new Promise((resolve, reject) => {
    const socket = net.connect(product.port, '127.0.0.1')
    const listener: Listener = { socket, seqs: [], rest: '' }
    socket.on('error', reject)
    socket.on('data', (chunk) => {
      const now = performance.now()
      const lines = (listener.rest + chunk.toString('latin1')).split('\n')
      listener.rest = lines.pop() ?? ''
      for (const line of lines) {
        if (line.startsWith('event: ready')) resolve(listener)
        if (!line.startsWith('data: ')) continue
        const [, seq] = SEQ.exec(line) ?? []
        const [, at] = SENT_AT.exec(line) ?? []
        if (!seq || !at) continue
        listener.seqs.push(Number(seq))
        delays.push(now - Number(at))
      }
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
