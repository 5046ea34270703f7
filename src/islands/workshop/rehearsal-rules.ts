import type { Uplink } from './uplink-probe.ts'

export type CheckRating = 'good' | 'warn' | 'bad'

/** What is enough to be seen well: bits a second, share lost, milliseconds there and back. */
const GOOD_LIMITS = { bitrate: 500_000, loss: 0.02, roundTrip: 300 }
const ACCEPTABLE_LIMITS = { bitrate: 150_000, loss: 0.08, roundTrip: 800 }

/** How good an uplink is: by its worst number. */
export function rateUplink({
  bitsPerSecond: bitsPerSecond,
  lossShare: lossShare,
  roundTripMs: roundTripMs,
}: Uplink): CheckRating {
  const isWithin = (limit: typeof GOOD_LIMITS) =>
    bitsPerSecond >= limit.bitrate && lossShare <= limit.loss && (roundTripMs ?? 0) <= limit.roundTrip
  return isWithin(GOOD_LIMITS) ? 'good' : isWithin(ACCEPTABLE_LIMITS) ? 'warn' : 'bad'
}

/** Whether a recording of that size has room, in bytes; null is without limit. */
export const rateFreeSpace = (freeBytes: number | null, neededBytes: number): CheckRating =>
  freeBytes === null || freeBytes > neededBytes * 2 ? 'good' : freeBytes > neededBytes ? 'warn' : 'bad'

/** The worst of several. */
export const worstRating = (ratings: readonly CheckRating[]): CheckRating =>
  ratings.includes('bad') ? 'bad' : ratings.includes('warn') ? 'warn' : 'good'
