import http from 'node:http'
import net from 'node:net'

/*
 * Viewers of a room, in a separate process: enter by their personal links like a browser, receive the room's stream,
 * resume it after an interruption, vote and send messages. Controlled by room.ts.
 */

export interface RoomTarget {
  port: number
  host: string
}

/** What all viewers have received since the start of the measurement. */
export interface ArrivalReport {
  streams: number
  open: number
  /** Messages of the log that were missing, repeated or out of order for some viewer. */
  missing: number
  twice: number
  disordered: number
  /** Milliseconds from the sender to a receiver. */
  p50: number
  p95: number
  /** Number of streams that ended unexpectedly. */
  dropped: number
  /** Number of streams that could not be resumed, so that the log was read. */
  reread: number
}

export type Order =
  | { op: 'join'; target: RoomTarget; workshopId: string; keys: string[]; atOnce: number }
  | { op: 'begin' }
  | { op: 'speak'; rate: number; seconds: number }
  | { op: 'arrivals'; timeoutMs: number }
  | { op: 'vote'; pollId: string; atOnce: number }
  | { op: 'cut'; share: number }
  | { op: 'back' }
  | { op: 'states' }

interface Viewer {
  target: RoomTarget
  seatToken: string
  lastId: string
  socket: net.Socket | null
  rest: string
  /** Sequence numbers of messages in the order of arrival. */
  numbers: number[]
  lastSeq: number
  shouldReconnect: boolean
  rereading: Promise<void> | null
}

interface Frame {
  messages: { seq: number; stamp: number }[]
  last: number
}

const viewers: Viewer[] = []
const frames = new Map<string, Frame>()
const delays = new Uint32Array(120_000)
const sentTexts = new Map<number, string>()
const agent = new http.Agent({ keepAlive: true, maxSockets: 256 })
let counted = 0
let dropped = 0
let reread = 0

process.on('message', (message: { question: number; order: Order }) => {
  obey(message.order).then(
    (answer) => process.send?.({ answer: message.question, value: answer }),
    (error: Error) => process.send?.({ answer: message.question, error: error.message }),
  )
})
process.on('disconnect', () => process.exit(0))

async function obey(order: Order): Promise<unknown> {
  switch (order.op) {
    case 'join':
      return pooled(order.keys, order.atOnce, (key) => join(order.target, order.workshopId, key))
    case 'begin':
      delays.fill(0)
      counted = dropped = reread = 0
      sentTexts.clear()
      for (const viewer of viewers) viewer.numbers = []
      return true
    case 'speak':
      return speak(order.rate, order.seconds)
    case 'arrivals':
      return arrivals(order.timeoutMs)
    case 'vote':
      return pooled(viewers, order.atOnce, (viewer, index) => vote(viewer, order.pollId, index))
    case 'cut':
      for (const viewer of viewers.slice(0, Math.floor(viewers.length * order.share))) cut(viewer)
      return true
    case 'back':
      return pooled(
        viewers.filter((viewer) => !viewer.socket),
        100,
        (viewer) => listen(viewer),
      )
    case 'states':
      return states()
  }
}

/** Opens a personal link like a browser: the page with the room, then the stream. */
async function join(target: RoomTarget, workshopId: string, key: string): Promise<void> {
  const page = await ask(target, 'GET', `/meeting/join/${workshopId}?key=${key}`)
  const text = page.body.replaceAll('&quot;', '"')
  const seatToken = /"seatToken":\[0,"([\w-]{91})"\]/.exec(text)?.[1]
  if (!seatToken) throw new Error(`no room behind the link: ${page.status} ${page.body.slice(0, 200)}`)
  const lastId = /"liveId":\[0,(\d+)\]/.exec(text)?.[1] ?? ''
  const lastSeq = Number(/"lastSeq":\[0,(\d+)\]/.exec(text)?.[1] ?? 0)
  const viewer = {
    target,
    seatToken,
    lastId,
    socket: null,
    rest: '',
    numbers: [],
    lastSeq,
    shouldReconnect: true,
    rereading: null,
  }
  viewers.push(viewer)
  await listen(viewer)
}

function listen(viewer: Viewer): Promise<void> {
  viewer.shouldReconnect = true
  return new Promise((resolve) => {
    const { port, host } = viewer.target
    const resume = viewer.lastId ? `&lastEventId=${viewer.lastId}` : ''
    const socket = net.connect(port, '127.0.0.1')
    viewer.socket = socket
    viewer.rest = ''
    socket.setNoDelay(true)
    socket.on('data', (piece) => {
      // The head of the response arrives first, in one chunk with the retry field of the stream.
      if (piece.includes('retry:')) resolve()
      take(viewer, piece.toString('latin1'))
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      if (viewer.socket !== socket) return
      viewer.socket = null
      if (!viewer.shouldReconnect) return
      dropped++
      setTimeout(() => void listen(viewer).then(resolve), 300 + Math.random() * 700)
    })
    socket.write(`GET /v1/meeting/live?seatToken=${viewer.seatToken}${resume} HTTP/1.1\r\nHost: ${host}\r\n\r\n`)
  })
}

function cut(viewer: Viewer): void {
  viewer.shouldReconnect = false
  viewer.socket?.destroy()
  viewer.socket = null
}

// All viewers receive the same bytes, so an event is parsed once per sequence number.
function take(viewer: Viewer, piece: string): void {
  const blocks = (viewer.rest + piece).split('\n\n')
  viewer.rest = blocks.pop() ?? ''
  const now = Date.now()
  for (const block of blocks) {
    const id = /(?:^|\n)id: (\d+)\n/.exec(block)?.[1]
    if (!id) continue
    viewer.lastId = id
    if (block.includes('event: reset')) {
      reread++
      viewer.rereading ??= catchUp(viewer).finally(() => {
        viewer.rereading = null
      })
      continue
    }
    if (!block.includes('"events"')) continue
    const frame = frames.get(id) ?? read(id, block)
    for (const { seq, stamp } of frame.messages) recordArrival(viewer, seq, now - stamp)
    viewer.lastSeq = Math.max(viewer.lastSeq, frame.last)
  }
}

function read(id: string, block: string): Frame {
  const data = Buffer.from(/data: (.*)$/m.exec(block)?.[1] ?? '{}', 'latin1').toString('utf8')
  const { payload }: { payload: { events: { seq: number; type: string; payload: { text?: string } }[] } } =
    JSON.parse(data)
  const messages = payload.events.flatMap(({ seq, type, payload: { text = '' } }) =>
    type === 'message' ? [{ seq, stamp: Number(text.split(' ')[1]) }] : [],
  )
  const frame = { messages, last: payload.events.at(-1)?.seq ?? 0 }
  frames.set(id, frame)
  return frame
}

function recordArrival(viewer: Viewer, seq: number, delay: number): void {
  viewer.numbers.push(seq)
  const place = Math.max(0, Math.min(delays.length - 1, delay))
  delays[place] = (delays[place] ?? 0) + 1
  counted++
}

async function catchUp(viewer: Viewer): Promise<void> {
  for (let more = true; more; ) {
    const after = viewer.lastSeq
    const answer = await ask(
      viewer.target,
      'GET',
      `/v1/module/meeting/listEvents?seatToken=${viewer.seatToken}&after=${after}`,
    )
    const page: { events: { seq: number; type: string; payload: { text?: string } }[]; more: boolean } = JSON.parse(
      answer.body,
    )
    for (const { seq, type, payload } of page.events) {
      if (seq <= viewer.lastSeq) continue
      if (type === 'message') recordArrival(viewer, seq, Date.now() - Number(payload.text?.split(' ')[1]))
      viewer.lastSeq = seq
    }
    more = page.more
  }
}

/**
 * Sends a number of messages per second, each until the server has responded; a repeated messageId is the same message.
 */
async function speak(rate: number, seconds: number): Promise<{ sent: number; retried: number }> {
  const pending: Promise<void>[] = []
  let retried = 0
  const begun = performance.now()
  for (let index = 0; index < rate * seconds; index++) {
    const due = begun + (index * 1000) / rate
    const wait = due - performance.now()
    if (wait > 2) await new Promise((resolve) => setTimeout(resolve, wait))
    const viewer = viewers[(index * 7) % viewers.length]
    if (!viewer) continue
    const sent = sendMessage(viewer, index).then((tries) => {
      retried += tries
    })
    pending.push(sent)
  }
  await Promise.all(pending)
  return { sent: pending.length, retried }
}

async function sendMessage(viewer: Viewer, index: number): Promise<number> {
  const messageId = crypto.randomUUID()
  const body = {
    seatToken: viewer.seatToken,
    messageId,
    kind: 'message',
    text: `слово ${Date.now()} ${index} добре чути`,
  }
  for (let tries = 0; ; tries++) {
    const answer = await ask(viewer.target, 'POST', '/v1/module/meeting/sendMessage', body).catch(() => null)
    if (answer?.status === 200) {
      sentTexts.set(JSON.parse(answer.body).seq, messageId)
      return tries
    }
    if (answer && answer.status < 500) throw new Error(`sendMessage: ${answer.status} ${answer.body.slice(0, 200)}`)
    await new Promise((resolve) => setTimeout(resolve, 300))
  }
}

async function vote({ target, seatToken }: Viewer, pollId: string, index: number): Promise<void> {
  const body = { seatToken, pollId, choices: [index % 2], clientId: crypto.randomUUID() }
  const answer = await ask(target, 'POST', '/v1/module/meeting/vote', body)
  if (answer.status !== 200) throw new Error(`vote: ${answer.status} ${answer.body.slice(0, 200)}`)
}

async function arrivals(timeoutMs: number): Promise<ArrivalReport> {
  const expectedNumbers = [...sentTexts.keys()].sort((a, b) => a - b)
  const until = Date.now() + timeoutMs
  while (Date.now() < until && viewers.some(({ numbers }) => numbers.length < expectedNumbers.length))
    await new Promise((resolve) => setTimeout(resolve, 100))
  let [missing, twice, disordered] = [0, 0, 0]
  for (const { numbers } of viewers) {
    const got = new Set(numbers)
    missing += expectedNumbers.filter((seq) => !got.has(seq)).length
    twice += numbers.length - got.size
    disordered += numbers.filter((seq, index) => index > 0 && seq < (numbers[index - 1] ?? 0)).length
  }
  const open = viewers.filter(({ socket }) => socket && !socket.destroyed).length
  const counts = { streams: viewers.length, open, missing, twice, disordered, dropped, reread }
  return { ...counts, p50: quantile(0.5), p95: quantile(0.95) }
}

function quantile(share: number): number {
  let left = counted * share
  for (const [ms, count] of delays.entries()) {
    left -= count
    if (left <= 0) return ms
  }
  return delays.length
}

/** The distinct states of the room as ten of the viewers read it. */
async function states(): Promise<string[]> {
  const some = viewers.filter((_, index) => index % Math.ceil(viewers.length / 10) === 0)
  const read = await Promise.all(
    some.map(({ target, seatToken }) => ask(target, 'GET', `/v1/module/meeting/getRoom?seatToken=${seatToken}`)),
  )
  return [...new Set(read.map(({ body }) => JSON.stringify(JSON.parse(body).state)))]
}

async function pooled<T>(all: readonly T[], atOnce: number, action: (item: T, index: number) => Promise<void>) {
  const begun = performance.now()
  let next = 0
  const work = async () => {
    for (let index = next++; index < all.length; index = next++) {
      const item = all[index]
      if (item !== undefined) await action(item, index)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return { seconds: (performance.now() - begun) / 1000, done: all.length }
}

function ask(
  target: RoomTarget,
  method: string,
  path: string,
  body?: object,
): Promise<{ status: number; body: string }> {
  const payload = body && JSON.stringify(body)
  const headers = {
    host: target.host,
    accept: 'application/json, text/html',
    ...(payload && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(payload) }),
  }
  return new Promise((resolve, reject) => {
    const request = http.request({ host: '127.0.0.1', port: target.port, agent, method, path, headers }, (response) => {
      const pieces: Buffer[] = []
      response.on('data', (piece: Buffer) => pieces.push(piece))
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, body: Buffer.concat(pieces).toString('utf8') }),
      )
      response.on('error', reject)
    })
    request.on('error', reject)
    request.end(payload)
  })
}
