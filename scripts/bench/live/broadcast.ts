import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import type { StreamRequest } from '../../../tests/setup/media/webrtc-clients.ts'
import { atEnd, cpuOf, memoryOf, temporary } from '../processes.ts'
import { limitRow, type Section } from '../report.ts'

const VIEWERS = 150
const ROUNDS = 3
const HOLD = 10_000

/**
 * Live video and audio: 150 viewers of one publisher, of the installation and of the baseline in turn, and how long the
 * seats of killed viewers remain occupied.
 */
export async function broadcastPlane(): Promise<Section> {
  const ours: Round[] = []
  const bare: Round[] = []
  let gone = 0
  for (let round = 0; round < ROUNDS; round++) {
    const server = await startServer('broadcast-server.ts')
    ours.push(await watched(server))
    if (round === ROUNDS - 1) gone = await untilForgotten(server)
    await server.end()
    const other = await startServer('bare-sfu.ts')
    bare.push(await watched(other))
    await other.end()
  }
  const ratio = median(ours.map(({ cpu }, at) => cpu / (bare[at]?.cpu ?? Number.NaN)))
  const sum = (pick: (round: Round) => number) => ours.reduce((total, round) => total + pick(round), 0)
  return {
    title: 'Live picture and sound',
    note: `${VIEWERS} viewers of 1 Mbit/s, one publisher, all over one UDP port; the viewers are a separate process, and one viewer in ten counts every packet. Baseline: the same library with minimal code (\`scripts/bench/live/bare-sfu.ts\`).`,
    rows: [
      limitRow('one core, used by 150 viewers', median(ours.map(({ cpu }) => cpu)) * 100, ' %', 100),
      limitRow(
        'packets lost for a viewer',
        sum(({ lost }) => lost),
        '',
        0,
      ),
      limitRow(
        'packets that came at the second asking',
        sum(({ recovered }) => recovered),
        '',
        null,
      ),
      {
        ...limitRow('processor time a viewer, to the bare one', ratio, ' times', 1.2, 2),
        ours: `${percent(ours)} %`,
        baseline: `${percent(bare)} %`,
      },
      limitRow('sessions at 0 after all were killed', gone, ' s', 30, 1),
      limitRow('memory a viewer', median(ours.map(({ memory }) => memory)) / VIEWERS, ' MB', null, 2),
      limitRow('growth of memory while nobody comes or goes', median(ours.map(({ growth }) => growth)), ' MB', 8, 1),
    ],
  }
}

interface Round {
  /** Share of one core. */
  cpu: number
  lost: number
  recovered: number
  /** Additional megabytes with the viewers. */
  memory: number
  growth: number
}

export interface MediaServer {
  pid: number
  whip: StreamRequest
  /** Tokens of different viewers. */
  whep: { url: string; tokens: string[] }
  sessions(): Promise<number>
  end(): Promise<void>
  /** The current viewers, who are ended with the server. */
  crowd?: ChildProcess
}

export async function startServer(program: string): Promise<MediaServer> {
  const env = { ...process.env, NODE_ENV: 'production', LOG_LEVEL: 'silent', DATA_DIR: temporary('media') }
  const child = fork(path.join(import.meta.dirname, program), { env, execArgv: [] })
  let server: MediaServer | undefined
  const end = async () => {
    server?.crowd?.kill('SIGKILL')
    if (child.exitCode !== null || !child.connected) return
    child.send('end')
    await once(child, 'exit')
  }
  atEnd(end)
  const [{ pid, whip, whep }] = await once(child, 'message')
  const sessions = async () => {
    child.send('status')
    const [{ sessions }] = await once(child, 'message')
    return sessions
  }
  server = { pid, whip, whep, sessions, end }
  return server
}

export interface Totals {
  viewers: number
  /** Number of audio packets. */
  sounds: number[]
  lost: number
  recovered: number
}

/** Starts viewers with their publisher, or without one, and waits until all of them are connected. */
export async function startCrowd(
  server: MediaServer,
  viewers: number,
  how: 'publishing' | 'watching' = 'publishing',
): Promise<ChildProcess> {
  const args = [JSON.stringify(server.whip), JSON.stringify(server.whep), String(viewers), how]
  const crowd = fork(path.join(import.meta.dirname, 'broadcast-crowd.ts'), args, { execArgv: [] })
  atEnd(() => crowd.kill('SIGKILL'))
  const failed = once(crowd, 'exit').then(([code, signal]) => {
    throw new Error(`the crowd ended: ${signal ?? code}`)
  })
  await Promise.race([once(crowd, 'message'), failed])
  failed.catch(() => {})
  return crowd
}

export async function totalsOf(crowd: ChildProcess): Promise<Totals> {
  crowd.send('totals')
  const [totals] = await once(crowd, 'message')
  return totals
}

async function watched(server: MediaServer): Promise<Round> {
  const empty = memoryOf(server.pid)
  const crowd = await startCrowd(server, VIEWERS)
  server.crowd = crowd
  await settle(2000)
  const [before, since, used, full] = [
    await totalsOf(crowd),
    performance.now(),
    cpuOf(server.pid),
    memoryOf(server.pid),
  ]
  await settle(HOLD)
  const cpu = (cpuOf(server.pid) - used) / (performance.now() - since)
  const growth = memoryOf(server.pid) - full
  const after = await totalsOf(crowd)
  const round = { cpu, memory: full - empty, growth }
  return { ...round, lost: after.lost - before.lost, recovered: after.recovered - before.recovered }
}

async function untilForgotten(server: MediaServer): Promise<number> {
  const since = performance.now()
  server.crowd?.kill('SIGKILL')
  while ((await server.sessions()) > 0 && performance.now() - since < 60_000) await settle(250)
  return (performance.now() - since) / 1000
}

const percent = (rounds: Round[]): string => (median(rounds.map(({ cpu }) => cpu)) * 100).toFixed(0)
const median = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
const settle = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
