import { readCounters } from './network-sample.ts'

const CHECK_INTERVAL_MS = 1000
/** Ms of silence that say nothing yet. */
const MIN_SILENCE_MS = 4000
/** So many times the longest silence that was nothing. */
const SILENCE_FACTOR = 3

/**
 * Watches the receiver reports of a publishing connection, which a server sends every few seconds; calls `onSilence`
 * once when they stop. After a change of address media may be lost for half a minute while ICE reports no failure.
 * Returns a function that stops it.
 */
export function watchReports(connection: Pick<RTCPeerConnection, 'getStats'>, onSilence: () => void): () => void {
  let bytes = 0
  let lastReportAt = 0
  let longestSilence = 0
  let hasEnded = false
  const timer = setInterval(() => void look().catch(end), CHECK_INTERVAL_MS)

  async function look(): Promise<void> {
    const { transport, at } = readCounters(await connection.getStats())
    if (hasEnded) return
    if (transport > bytes) {
      if (bytes > 0) longestSilence = Math.max(longestSilence, at - lastReportAt)
      bytes = transport
      lastReportAt = at
    } else if (longestSilence > 0 && at - lastReportAt > Math.max(MIN_SILENCE_MS, longestSilence * SILENCE_FACTOR)) {
      end()
      onSilence()
    }
  }

  function end(): void {
    hasEnded = true
    clearInterval(timer)
  }

  return end
}
