import { ENTRY_POINTS, type EntryPoint, hostileTexts } from '../bench/parsers.ts'

/** Shares of the longest input; the work at the last one is compared with that at a quarter of it. */
const SHARES = [1 / 8, 1 / 4, 1 / 2, 1]
/** The longest tested text: longer ones only take longer. */
const LONGEST = 8 * 1024
/** Processor times below this many milliseconds are too short for a comparison. */
const NOISE = 25
/** A linear function takes 4 times the work for 4 times the text, a quadratic one 16 times. */
const MOST_GROWTH = 8
/** A measurement that takes longer than this many milliseconds is not repeated with a longer text. */
const TIMEOUT_MS = 2000

/**
 * Measures the processor time of every parser at four lengths of every hostile text, compared with a linear function in
 * the same run. Prints parsers whose time grows faster than the text; returns whether all of them run in a worker
 * process.
 */
export async function soakParsers(): Promise<boolean> {
  let sound = true
  for (const entry of ENTRY_POINTS) {
    const slow = await measure(entry)
    const verdict = slow.length === 0 ? 'linear' : entry.inWorker ? 'grows faster, ended by its worker' : 'NOT LINEAR'
    console.log(`${entry.name.padEnd(28)} ${verdict}`)
    for (const line of slow) console.log(`  ${line}`)
    if (slow.length > 0 && !entry.inWorker) sound = false
  }
  return sound
}

async function measure(entry: EntryPoint): Promise<string[]> {
  const most = Math.min(entry.most, LONGEST)
  const texts = SHARES.map((share) => [...hostileTexts(Math.floor(most * share))])
  const slow: string[] = []
  for (const [at, { shown }] of (texts[0] ?? []).entries()) {
    const times: number[] = []
    const plain: number[] = []
    for (const all of texts) {
      const text = all[at]?.text ?? ''
      times.push(await processorTime(() => entry.run(text)))
      plain.push(await processorTime(() => linear(text)))
      if ((times.at(-1) ?? 0) > TIMEOUT_MS) break
    }
    const [before = 0, last = 0] = [times.at(-3) ?? 0, times.at(-1) ?? 0]
    const expected = Math.max(1, (plain.at(-1) ?? 1) / Math.max(plain.at(-3) ?? 1, 0.1) / 4)
    const growth = last / Math.max(before, 0.1)
    if (last > NOISE && growth > MOST_GROWTH * Math.min(expected, 2)) {
      slow.push(`${shown.padEnd(24)} ${times.map((ms) => `${Math.round(ms)} ms`).join(' → ')}`)
    }
  }
  return slow
}

/** The smaller of two runs, which excludes garbage collection. */
async function processorTime(action: () => unknown): Promise<number> {
  const times: number[] = []
  for (let turn = 0; turn < 2; turn += 1) {
    const since = process.cpuUsage()
    await Promise.resolve()
      .then(action)
      .catch(() => undefined)
    const { user, system } = process.cpuUsage(since)
    times.push((user + system) / 1000)
    if ((times[0] ?? 0) > TIMEOUT_MS) break
  }
  return Math.min(...times)
}

function linear(text: string): number {
  let sum = 0
  for (let at = 0; at < text.length; at += 1) sum = (sum * 31 + text.charCodeAt(at)) | 0
  return sum
}
