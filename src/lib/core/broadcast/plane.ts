import { type ChildProcess, fork } from 'node:child_process'
import dgram from 'node:dgram'
import path from 'node:path'
import { environmentOf } from '../config/config.ts'
import { forwardLines } from '../log.ts'
import type { Answers, Asked, Fault, Settings, StreamName, StreamTold, Told } from './sfu/protocol.ts'
import type { TapNews, TapOrder } from './tap/tapped.ts'

/*
 * The child process that carries the media, kept alive: when it dies it is started again, at once the first time, later
 * after a growing pause, on the same port and with the same orders for its taps. Browsers come again by themselves.
 */

export interface Plane {
  /** Starts the child if it does not run. Rejects when it does not come up. */
  begin(): Promise<void>
  ask<Op extends Asked['op']>(asked: Extract<Asked, { op: Op }>): Promise<Answers[Op]>
  /** Gives an order to the taps, and again to every child to come until its end is ordered. */
  order(order: TapOrder): Promise<Record<string, unknown>>
  onStream(listener: (told: StreamTold) => void): () => void
  onNews(listener: (news: TapNews) => void): () => void
  onCodecMissing(listener: (stream: StreamName) => void): () => void
  /** The child's number while it runs. */
  pid(): number | null
  /** Its UDP port, chosen at the first start. */
  port(): number
  close(): Promise<void>
}

/** What the plane answers when it cannot do what it is asked. Not a Refusal: two copies of the product may hold it. */
export interface PlaneFault extends Error {
  fault: Fault
}

const PAUSES = [0, 250, 500, 1000, 2000, 4000, 8000]
/** A child that lived so long died of something else than its predecessor. */
const SETTLED = 60_000
const PATIENCE = 10_000
/** What is recorded has to reach the disk first. */
const PATIENCE_WITH_TAPS = 60_000
const PROGRAM = path.resolve('src/lib/core/broadcast/sfu/sfu.ts')
// What native code reads from the network needs neither the key nor the database.
const TOLD = [
  'PATH',
  'HOME',
  'LANG',
  'TMPDIR',
  'NODE_ENV',
  'LOG_LEVEL',
  'DATA_DIR',
  'DISK_RESERVE_MB',
  'FFMPEG_PATH',
  'BASE_DOMAIN',
]

/** A plane with these settings, not yet begun. `note` is told why a child ended against our will. */
export function openPlane(settings: Settings, note: (why: string) => void): Plane {
  const streams = new Map<string, StreamTold>()
  const streamListeners = new Set<(told: StreamTold) => void>()
  const codecListeners = new Set<(stream: StreamName) => void>()
  const newsListeners = new Set<(news: TapNews) => void>()
  const orders = new Map<string, TapOrder>()
  const questions = new Map<number, { resolve(value: never): void; reject(error: Error): void }>()
  let child: ChildProcess | null = null
  let ready: Promise<ChildProcess> | null = null
  let port = settings.port
  let asked = 0
  let failures = 0
  let closed = false
  let again: NodeJS.Timeout | undefined

  function running(): Promise<ChildProcess> {
    if (closed) return Promise.reject(faultOf('failed', 'the media plane is closed'))
    ready ??= start().catch((error: Error) => {
      ready = null
      throw error
    })
    return ready
  }

  async function start(): Promise<ChildProcess> {
    clearTimeout(again)
    port ||= await freePort(settings.bind)
    const begun = fork(PROGRAM, [], {
      env: environmentOf(...TOLD),
      execArgv: [],
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    })
    for (const output of [begun.stdout, begun.stderr]) if (output) void forwardLines(output, 'media plane')
    child = begun
    const since = Date.now()
    begun.on('message', (told: Told) => hear(told))
    begun.once('exit', (code, signal) => over(begun, since, signal ?? `code ${code}`))
    begun.once('error', (error) => note(error.message))
    await put(begun, { op: 'settings', settings: { ...settings, port } }).catch((error: Error) => {
      begun.kill('SIGKILL')
      throw error
    })
    for (const order of orders.values()) {
      await put(begun, { op: 'tap', order }).catch((error: Error) => note(error.message))
    }
    return begun
  }

  function over(begun: ChildProcess, since: number, why: string): void {
    if (child !== begun) return
    child = null
    ready = null
    for (const { reject } of questions.values()) reject(faultOf('failed', `the media plane ended: ${why}`))
    questions.clear()
    for (const told of [...streams.values()]) hear({ stream: { ...told, up: false } })
    if (closed) return
    note(`the media plane ended: ${why}`)
    failures = Date.now() - since > SETTLED ? 0 : failures
    again = setTimeout(() => void running().catch((error: Error) => note(error.message)), pauseAfter(failures))
    failures += 1
  }

  function put<Op extends Asked['op']>(to: ChildProcess, question: Extract<Asked, { op: Op }>): Promise<Answers[Op]> {
    const number = ++asked
    return new Promise<Answers[Op]>((resolve, reject) => {
      const silent = () => settle(() => reject(faultOf('failed', 'the media plane is silent')))
      const late = setTimeout(silent, question.op === 'tap' ? PATIENCE_WITH_TAPS : PATIENCE)
      const settle = (act: () => void) => {
        clearTimeout(late)
        questions.delete(number)
        act()
      }
      questions.set(number, {
        resolve: (value) => settle(() => resolve(value)),
        reject: (error) => settle(() => reject(error)),
      })
      const unsent = (error: Error | null) => error && settle(() => reject(faultOf('failed', error.message)))
      to.send({ question: number, asked: question }, unsent)
    })
  }

  function hear(told: Told): void {
    if ('news' in told) {
      for (const listener of newsListeners) listener(told.news)
    } else if ('stream' in told) {
      const name = `${told.stream.room}/${told.stream.stream}`
      if (told.stream.up) streams.set(name, told.stream)
      else streams.delete(name)
      for (const listener of streamListeners) listener(told.stream)
    } else if ('codecMissing' in told) {
      for (const listener of codecListeners) listener(told.codecMissing)
    } else if ('note' in told) {
      note(told.note)
    } else if ('fault' in told) {
      questions.get(told.answer)?.reject(faultOf(told.fault, told.words))
    } else {
      questions.get(told.answer)?.resolve(told.value as never)
    }
  }

  return {
    begin: () => running().then(() => undefined),
    ask: async (question) => put(await running(), question),
    async order(order) {
      remember(orders, order)
      // Nothing is begun only to be ended.
      if (order.op.endsWith('End') && !ready) return {}
      return put(await running(), { op: 'tap', order })
    },
    onStream: (listener) => listening(streamListeners, listener),
    onNews: (listener) => listening(newsListeners, listener),
    onCodecMissing: (listener) => listening(codecListeners, listener),
    pid: () => child?.pid ?? null,
    port: () => port,
    async close() {
      closed = true
      clearTimeout(again)
      const last = child
      if (!last) return
      const gone = new Promise<void>((resolve) => last.once('exit', () => resolve()))
      last.kill('SIGTERM')
      const cut = setTimeout(() => last.kill('SIGKILL'), PATIENCE)
      await gone
      clearTimeout(cut)
    },
  }
}

const pauseAfter = (failures: number): number => PAUSES[Math.min(failures, PAUSES.length - 1)] ?? 0

function faultOf(fault: Fault, words: string): PlaneFault {
  return Object.assign(new Error(words), { fault })
}

// An order stands until its end is ordered, so that a new child can be given it again.
function remember(orders: Map<string, TapOrder>, order: TapOrder): void {
  // A sign of life of those who watch: it comes again by itself.
  if (order.op === 'hls' || order.op === 'hlsEnd') return
  const name = `${order.op.replace('End', '')} ${order.room} ${order.stream ?? '*'}`
  if (order.op.endsWith('End')) orders.delete(name)
  else orders.set(name, order)
}

// Free a moment ago is as good as it gets: whoever takes it meanwhile makes the start fail, with the port's number.
function freePort(bind: string | null): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = dgram.createSocket('udp4')
    socket.once('error', reject)
    socket.bind(0, bind ?? '0.0.0.0', () => {
      const { port } = socket.address()
      socket.close(() => resolve(port))
    })
  })
}

function listening<Listener>(all: Set<Listener>, listener: Listener): () => void {
  all.add(listener)
  return () => void all.delete(listener)
}
