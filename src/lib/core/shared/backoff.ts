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

const RESTART = { firstMs: 250, maxMs: 8000 }

/** Milliseconds to wait before a child process that has ended is started again: at once after the first time. */
export const restartDelayMs = (failures: number): number => (failures === 0 ? 0 : backoffMs(failures, RESTART))
