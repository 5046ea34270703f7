import type { Uplink } from './uplink-probe.ts'

export type CheckRating = 'good' | 'warn' | 'bad'

/** Limits of a good and of an acceptable uplink. */
const GOOD_LIMITS = { bitrate: 500_000, loss: 0.02, roundTrip: 300 }
const ACCEPTABLE_LIMITS = { bitrate: 150_000, loss: 0.08, roundTrip: 800 }

/** Rates an uplink by its worst value. */
export function rateUplink({ bitsPerSecond, lossShare, roundTripMs }: Uplink): CheckRating {
  const isWithin = (limit: typeof GOOD_LIMITS) =>
    bitsPerSecond >= limit.bitrate && lossShare <= limit.loss && (roundTripMs ?? 0) <= limit.roundTrip
  return isWithin(GOOD_LIMITS) ? 'good' : isWithin(ACCEPTABLE_LIMITS) ? 'warn' : 'bad'
}

/** Rates the free storage for a recording, in bytes; null means no limit. */
export const rateFreeSpace = (freeBytes: number | null, neededBytes: number): CheckRating =>
  freeBytes === null || freeBytes > neededBytes * 2 ? 'good' : freeBytes > neededBytes ? 'warn' : 'bad'

/** Returns the worst rating. */
export const worstRating = (ratings: readonly CheckRating[]): CheckRating =>
  ratings.includes('bad') ? 'bad' : ratings.includes('warn') ? 'warn' : 'good'
