import { sequenceDistance } from './rtp.ts'

/*
 * Decides which packets of an RTP source to request again by NACK (RFC 4585, 6.2.1): at once when a gap appears, then
 * every 40 ms. After eight requests a packet counts as lost, and only a keyframe repairs the video. The caller passes
 * every packet to `recordPacket` and calls `collectRetries` every NACK_INTERVAL_MS.
 */

export const NACK_INTERVAL_MS = 40
const MAX_REQUESTS = 8
/** A longer gap, in packets, means that the sender restarted its sequence numbers. */
const MAX_GAP = 200

export interface NackGenerator {
  /**
   * Processes the sequence number of a received packet. `missing`: sequence numbers of the gap before it, ascending.
   */
  recordPacket(sequence: number): { isNewest: boolean; missing: number[] }
  /** Sequence numbers to request again. `hasGivenUp`: at least one packet now counts as lost. */
  collectRetries(): { sequences: number[]; hasGivenUp: boolean }
  readonly lost: number
  readonly recovered: number
}

export function createNackGenerator(): NackGenerator {
  const requestCounts = new Map<number, number>()
  let highest: number | null = null
  let lost = 0
  let recovered = 0

  function recordPacket(sequence: number) {
    const distance = highest === null ? 1 : sequenceDistance(sequence, highest)
    if (distance <= 0) {
      if (requestCounts.delete(sequence)) recovered += 1
      return { isNewest: false, missing: [] }
    }
    const missing: number[] = []
    if (highest !== null && distance <= MAX_GAP) {
      for (let step = 1; step < distance; step++) missing.push((highest + step) & 0xffff)
    } else if (distance > MAX_GAP) {
      requestCounts.clear()
    }
    for (const missingSequence of missing) requestCounts.set(missingSequence, 1)
    highest = sequence
    return { isNewest: true, missing }
  }

  function collectRetries() {
    const sequences: number[] = []
    let hasGivenUp = false
    for (const [missingSequence, requestCount] of requestCounts) {
      if (requestCount < MAX_REQUESTS) {
        requestCounts.set(missingSequence, requestCount + 1)
        sequences.push(missingSequence)
      } else {
        requestCounts.delete(missingSequence)
        lost += 1
        hasGivenUp = true
      }
    }
    return { sequences, hasGivenUp }
  }

  return {
    recordPacket,
    collectRetries,
    get lost() {
      return lost
    },
    get recovered() {
      return recovered
    },
  }
}
