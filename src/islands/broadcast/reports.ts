import { countersOf } from './sample.ts'

const EVERY = 1000
/** Ms of silence that say nothing yet. */
const LEAST = 4000
/** So many times the longest silence that was nothing. */
const TIMES = 3

/**
 * Watches whether the server of a publishing connection still reports what it receives, as each does every second or
 * few; `silent` is called once when it does not. After a change of address media may go on into nothing for half a
 * minute, while ICE finds all well. Gives the way to stop.
 */
export function watchReports(connection: Pick<RTCPeerConnection, 'getStats'>, silent: () => void): () => void {
  let bytes = 0
  let heard = 0
  let longest = 0
  let ended = false
  const timer = setInterval(() => void look().catch(end), EVERY)

  async function look(): Promise<void> {
    const { transport, at } = countersOf(await connection.getStats())
    if (ended) return
    if (transport > bytes) {
      if (bytes > 0) longest = Math.max(longest, at - heard)
      bytes = transport
      heard = at
    } else if (longest > 0 && at - heard > Math.max(LEAST, longest * TIMES)) {
      end()
      silent()
    }
  }

  function end(): void {
    ended = true
    clearInterval(timer)
  }

  return end
}
