import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { removeClusterDirectory } from '../../../tests/setup/servers/cluster.ts'

export interface LiveRow {
  label: string
  measured: number
  unit: string
  /** Maximum value. */
  limit: number | null
}

const STREAMS = 5000
const EVENTS = 30

/**
 * 5,000 open streams on one process: time from `publish` to each of them compared with a single one, and memory per
 * stream.
 */
export async function benchLive(): Promise<{ rows: LiveRow[] }> {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'kb-'))
  fs.chmodSync(dataDir, 0o711)
  const env = { ...process.env, DATA_DIR: dataDir, LOG_LEVEL: 'silent' }
  const server = fork(path.join(import.meta.dirname, 'live-server.ts'), { env, execArgv: ['--expose-gc'] })
  try {
    const [{ address }] = await once(server, 'message')
    return { rows: await measure(server, address.port) }
  } finally {
    server.send('end')
    await once(server, 'exit')
    removeClusterDirectory(dataDir)
  }
}

async function measure(server: ChildProcess, port: number): Promise<LiveRow[]> {
  const alone = await openStreams(port, 1)
  await measureArrivals(server, alone, 10)
  const single = quantile(await measureArrivals(server, alone, 100), 0.5)
  const before = await memoryOf(server)
  const many = await openStreams(port, STREAMS - 1)
  await measureArrivals(server, [...alone, ...many], 2)
  const after = await memoryOf(server)
  const spread = await measureArrivals(server, [...alone, ...many], EVENTS)
  for (const client of [...alone, ...many]) client.socket.destroy()
  const p99 = quantile(spread, 0.99)
  return [
    { label: 'a single stream, p50', measured: single, unit: 'ms', limit: null },
    { label: `${STREAMS} streams, p50`, measured: quantile(spread, 0.5), unit: 'ms', limit: null },
    { label: `${STREAMS} streams, p99`, measured: p99, unit: 'ms', limit: null },
    { label: 'p99 of all to p50 of one', measured: p99 / single, unit: 'times', limit: 20 },
    { label: 'memory a stream', measured: (after - before) / (STREAMS - 1) / 1024, unit: 'KB', limit: 40 },
  ]
}

interface Listener {
  socket: net.Socket
  /** Called with each received chunk. */
  onData(piece: Buffer): void
}

async function openStreams(port: number, count: number): Promise<Listener[]> {
  const listeners: Listener[] = []
  while (listeners.length < count) {
    const some = Math.min(100, count - listeners.length)
    listeners.push(...(await Promise.all(Array.from({ length: some }, () => openStream(port)))))
  }
  return listeners
}

function openStream(port: number): Promise<Listener> {
  return new Promise((resolve, reject) => {
    const socket = net.connect(port, '127.0.0.1')
    const listener: Listener = { socket, onData: (piece) => piece.includes('event: ready') && resolve(listener) }
    socket.on('error', reject)
    socket.on('data', (piece) => listener.onData(piece))
    socket.write('GET /v1/live?channels=bench HTTP/1.1\r\nHost: bench.kafedra.localhost\r\n\r\n')
  })
}

// One event after another: the next one is published after all have received the previous one. The listener does as
// little as possible, because it shares the machine with the measured process.
async function measureArrivals(server: ChildProcess, listeners: Listener[], events: number): Promise<number[]> {
  const times: number[] = []
  for (let event = 0; event < events; event++) {
    const arrivals: number[] = []
    const received = await new Promise<string>((resolve) => {
      for (const listener of listeners) {
        listener.onData = (piece) => {
          if (arrivals.push(performance.now()) === listeners.length) resolve(piece.toString())
        }
      }
      server.send('say')
    })
    const at = Number(/"at": ?"(\d+)"/.exec(received)?.[1]) / 1e6 - OFFSET
    for (const arrival of arrivals) times.push(arrival - at)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return times
}

// Both processes use the same monotonic clock; `performance` counts from the start of the process.
const OFFSET = Number(process.hrtime.bigint()) / 1e6 - performance.now()

async function memoryOf(server: ChildProcess): Promise<number> {
  server.send('memory')
  const [{ rss }] = await once(server, 'message')
  return rss
}

function quantile(values: number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * share)] ?? 0
}
