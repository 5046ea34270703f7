export interface Backoff {
  firstMs: number
  maxMs: number
  /** The random part of the wait, so that many clients do not reconnect together: 0.5 is ±50 %. */
  jitter?: number
}

/**
 * Milliseconds to wait before another attempt after `failures` failures in a row (1 or more): `firstMs`, then twice as
 * long after each, `maxMs` at most (exponential backoff).
 */
export function backoffMs(failures: number, { firstMs, maxMs, jitter = 0 }: Backoff): number {
  const wait = Math.min(maxMs, firstMs * 2 ** (failures - 1))
  return wait * (1 - jitter + 2 * jitter * Math.random())
}
