import { startCrowd, startServer, totalsOf } from '../bench/live/broadcast.ts'
import { endAll, memoryOf } from '../bench/processes.ts'
import { type Sample, slope } from '../bench/slope.ts'

const STEADY = 50
const COMING = 10
const EVERY = 10_000

/**
 * A publisher and 50 viewers for a number of minutes, and every ten seconds ten more, which are killed ten seconds
 * later: the memory of the media process. Prints the peaks of both halves, the slope of the second, and the packets
 * that the permanent viewers lost.
 */
export async function soakBroadcast(minutes: number): Promise<string> {
  const samples: Sample[] = []
  const since = Date.now()
  const elapsed = () => (Date.now() - since) / 60_000
  try {
    const server = await startServer('broadcast-server.ts')
    const steady = await startCrowd(server, STEADY)
    while (elapsed() < minutes) {
      const coming = await startCrowd(server, COMING, 'watching')
      await new Promise((resolve) => setTimeout(resolve, EVERY))
      coming.kill('SIGKILL')
      const sample = { minute: elapsed(), megabytes: memoryOf(server.pid) }
      samples.push(sample)
      console.log(
        `${sample.minute.toFixed(2)} min  ${sample.megabytes.toFixed(1)} MB  ${await server.sessions()} sessions`,
      )
    }
    const { lost, recovered } = await totalsOf(steady)
    const later = samples.filter(({ minute }) => minute > minutes / 2)
    const earlier = samples.filter((sample) => !later.includes(sample))
    // The sawtooth of garbage collection between two instants looks like a slope; its peaks are comparable.
    return `broadcast: most ${peak(earlier)} MB in the first half, ${peak(later)} MB in the second; slope of the second half ${slope(later).toFixed(2)} MB a minute; ${lost} packets lost, ${recovered} recovered`
  } finally {
    await endAll()
  }
}

const peak = (samples: Sample[]): string => Math.max(0, ...samples.map(({ megabytes }) => megabytes)).toFixed(1)
