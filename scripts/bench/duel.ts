import autocannon from 'autocannon'
import { cpuOf } from './processes.ts'

/** A server that receives the same request repeatedly. */
export interface Target {
  pid: number
  port: number
  path: string
  headers: Record<string, string>
}

export interface Duel {
  /** Requests per second, the median of the rounds. */
  ours: number
  baseline: number
  /** Median of the ratios of the rounds in requests per second. */
  ratio: number
  /** The same in processor time per request: the baseline's divided by ours. */
  cpuRatio: number
  /** Milliseconds of our process's time per request. */
  cpu: number
  /** Our 99th percentile of the response time, as a multiple of the median. */
  tail: number
  /** Requests that both have responded to, including the warm-up. */
  requests: { ours: number; baseline: number }
}

/** A page that takes a second needs longer rounds and fewer concurrent requests. */
export interface Pace {
  rounds: number
  seconds: number
  connections: number
}

const PACE: Pace = { rounds: 5, seconds: 1.5, connections: 20 }

/**
 * Measures the installation against a baseline in rounds A B A B, after a warm-up of each. Throws when a response was
 * not a 2xx.
 */
export async function duel(ours: Target, baseline: Target, pace: Partial<Pace> = {}): Promise<Duel> {
  const [a, b] = await contest([ours, baseline], pace)
  if (!a || !b) throw new Error('no rounds')
  const ratios = (pick: (a: Round, b: Round) => number) =>
    median(a.rounds.map((round, n) => pick(round, b.rounds[n] ?? round)))
  return {
    ours: a.rate,
    baseline: b.rate,
    ratio: ratios((first, other) => first.rate / other.rate),
    cpuRatio: ratios((first, other) => other.cpu / first.cpu),
    cpu: a.cpu,
    tail: a.tail,
    requests: { ours: a.count, baseline: b.count },
  }
}

export interface Contestant {
  rounds: Round[]
  /** Medians of the rounds: requests per second, milliseconds of processor time per request, p99 divided by p50. */
  rate: number
  cpu: number
  tail: number
  /** Number of responses, including the warm-up. */
  count: number
}

/** Measures several targets in turn, round by round, after a warm-up of each. */
export async function contest(targets: readonly Target[], pace: Partial<Pace> = {}): Promise<Contestant[]> {
  const { rounds, ...each } = { ...PACE, ...pace }
  const warmUp = { ...each, seconds: Math.max(2, each.seconds) }
  const warm: Round[] = []
  for (const target of targets) warm.push(await round(target, warmUp))
  const played: Round[][] = targets.map(() => [])
  for (let n = 0; n < rounds; n++) {
    for (const [index, target] of targets.entries()) played[index]?.push(await round(target, each))
  }
  return played.map((own, index) => ({
    rounds: own,
    rate: median(own.map(({ rate }) => rate)),
    cpu: median(own.map(({ cpu }) => cpu)),
    tail: median(own.map(({ tail }) => tail)),
    count: own.reduce((sum, { count }) => sum + count, warm[index]?.count ?? 0),
  }))
}

export function median(numbers: number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return ((sorted[middle] ?? Number.NaN) + (sorted[(sorted.length - 1) >> 1] ?? Number.NaN)) / 2
}

export interface Round {
  rate: number
  cpu: number
  tail: number
  count: number
}

async function round(
  { pid, port, path, headers }: Target,
  { seconds, connections }: Omit<Pace, 'rounds'>,
): Promise<Round> {
  const before = cpuOf(pid)
  const result = await autocannon({
    url: `http://127.0.0.1:${port}${path}`,
    connections,
    duration: seconds,
    headers,
  })
  const spent = cpuOf(pid) - before
  const wrong = result.non2xx + result.errors + result.timeouts
  if (wrong > 0 || result['2xx'] === 0) throw new Error(`${wrong} wrong answers of ${path} on port ${port}`)
  const { p50, p99 } = result.latency
  return {
    rate: result['2xx'] / result.duration,
    cpu: spent / result['2xx'],
    tail: p99 / Math.max(1, p50),
    count: result['2xx'],
  }
}
