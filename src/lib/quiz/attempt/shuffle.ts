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
