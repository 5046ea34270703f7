import { config } from '../config/config.ts'
import { networkOf } from '../http/address.ts'
import { Refusal } from '../http/refusal.ts'

/** Open streams (one a tab) of one session. */
export const STREAMS_PER_SESSION = 20
const RETRY_SECONDS = 30

const counts = new Map<string, number>()

/**
 * Counts an open stream of a session (or seat) and of its network in this process until the returned function is called.
 * Refuses with too_many above the limits, because every open stream takes memory.
 */
export function reserveStream(sessionId: string, address: string | null): () => void {
  const keys = [
    { key: `session ${sessionId}`, limit: STREAMS_PER_SESSION },
    ...(address === null ? [] : [{ key: `network ${networkOf(address)}`, limit: config.streamsPerAddress }]),
  ]
  if (keys.some(({ key, limit }) => (counts.get(key) ?? 0) >= limit)) {
    const variables = { count: RETRY_SECONDS, seconds: RETRY_SECONDS }
    throw new Refusal('too_many', { variables, retryAfterSeconds: RETRY_SECONDS })
  }
  for (const { key } of keys) counts.set(key, (counts.get(key) ?? 0) + 1)
  let isReserved = true
  return () => {
    if (isReserved) for (const { key } of keys) decrement(key)
    isReserved = false
  }
}

function decrement(key: string): void {
  const left = (counts.get(key) ?? 1) - 1
  if (left > 0) counts.set(key, left)
  else counts.delete(key)
}
