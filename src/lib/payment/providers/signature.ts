import { timingSafeEqual } from 'node:crypto'

/** Whether two signatures are the same, compared in constant time. */
export function isSameSignature(given: unknown, expected: string): boolean {
  if (typeof given !== 'string') return false
  const [actualBytes, expectedBytes] = [Buffer.from(given), Buffer.from(expected)]
  return actualBytes.length === expectedBytes.length && timingSafeEqual(actualBytes, expectedBytes)
}
