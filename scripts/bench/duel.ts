import autocannon from 'autocannon'
import { cpuOf } from './processes.ts'

/** Something that answers the same request again and again. */
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
  /** Median of the rounds' ratios in requests per second. */
  ratio: number
  /** The same in processor time a request: the baseline's over ours. */
  cpuRatio: number
  /** Milliseconds of our process's time a request. */
  cpu: number
  /** Our 99th percentile of the time to an answer, as a multiple of the median one. */
  tail: number
  /** Requests that both have answered, the warm-up included. */
  requests: { ours: number; baseline: number }
}

/** A page that takes a second needs longer rounds and fewer who ask at once. */
export interface Pace {
  rounds: number
  seconds: number
  connections: number
}

const PACE: Pace = { rounds: 5, seconds: 1.5, connections: 20 }

/** Ours against a baseline in rounds A B A B, after a warm-up of each. Throws when any answer was not a 2xx. */
export async function duel(ours: Target, baseline: Target, pace: Partial<Pace> = {}): Promise<Duel> {
  const { rounds, ...each } = { ...PACE, ...pace }
  const warmUp = { ...each, seconds: Math.max(2, each.seconds) }
  const warm = { a: await round(ours, warmUp), b: await round(baseline, warmUp) }
  const played: { a: Round; b: Round }[] = []
  for (let n = 0; n < rounds; n++) played.push({ a: await round(ours, each), b: await round(baseline, each) })
  return {
    ours: median(played.map(({ a }) => a.rate)),
    baseline: median(played.map(({ b }) => b.rate)),
    ratio: median(played.map(({ a, b }) => a.rate / b.rate)),
    cpuRatio: median(played.map(({ a, b }) => b.cpu / a.cpu)),
    cpu: median(played.map(({ a }) => a.cpu)),
    tail: median(played.map(({ a }) => a.tail)),
    requests: {
      ours: [warm, ...played].reduce((sum, { a }) => sum + a.count, 0),
      baseline: [warm, ...played].reduce((sum, { b }) => sum + b.count, 0),
    },
  }
}

export function median(numbers: number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return ((sorted[middle] ?? Number.NaN) + (sorted[(sorted.length - 1) >> 1] ?? Number.NaN)) / 2
}

interface Round {
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
