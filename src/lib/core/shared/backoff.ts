interface Backoff {
  firstMs: number
  longestMs: number
  /** The part of the wait that is left to chance, so that many clients do not come back together: 0.5 is ±50 %. */
  jitter?: number
}

/**
 * Milliseconds to wait before another attempt after `failures` failures in a row (1 or more): `firstMs`, then twice as
 * long after each, `longestMs` at most (exponential backoff).
 */
export function backoffMs(failures: number, { firstMs, longestMs, jitter = 0 }: Backoff): number {
  const wait = Math.min(longestMs, firstMs * 2 ** (failures - 1))
  return wait * (1 - jitter + 2 * jitter * Math.random())
}
