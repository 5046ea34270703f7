import { readCounters } from './network-sample.ts'

const CHECK_INTERVAL_MS = 1000
/** Silence up to this time is ignored, in ms. */
const MIN_SILENCE_MS = 4000
/** Multiple of the longest interval between reports so far. */
const SILENCE_FACTOR = 3

/**
 * Watches the receiver reports of a publishing connection, which a server sends every few seconds; calls `onSilence`
 * once when they stop. After a change of the IP address, media may be lost for half a minute before ICE reports a
 * failure. Returns a function that stops it.
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
