import { createHmac } from 'node:crypto'

/** Where an order comes from: the same source gives the same order. */
export interface ShuffleSource {
  /** Chooses the questions of a pool. */
  key: string
  /** Numbers from 0 (inclusive) to 1 (exclusive). */
  random: () => number
}

/** For orders that need no protection: previews and printed variants. */
export const publicSource = (seed: number): ShuffleSource => ({ key: String(seed), random: seededRandom(seed) })

/** For attempts: without the secret key the order cannot be computed, and all orders are possible. */
export const secretSource = (key: string): ShuffleSource => ({ key, random: keyedRandom(key) })

/** Numbers of 48 bits from HMAC-SHA256 of a counter. */
function keyedRandom(key: string): () => number {
  let count = 0
  return () => createHmac('sha256', key).update(`shuffle ${count++}`).digest().readUIntBE(0, 6) / 2 ** 48
}

/** Numbers from 0 (inclusive) to 1 (exclusive), determined by a seed of 32 bits (mulberry32). Not for secrets. */
export function seededRandom(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** A copy in random order (Fisher-Yates). */
export function shuffled<T>(values: readonly T[], random: () => number): T[] {
  const rest = [...values]
  const result: T[] = []
  while (rest.length > 0) result.push(...rest.splice(Math.floor(random() * rest.length), 1))
  return result
}
