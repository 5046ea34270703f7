import { config } from '../config/config.ts'
import { networkOf } from '../http/address.ts'
import { Refusal } from '../http/refusal.ts'

/** Tabs that one person has open in one session: a stream each. */
export const STREAMS_PER_SESSION = 20
const RETRY_SECONDS = 30

const counts = new Map<string, number>()

/**
 * Counts an open stream against its session (or seat) and its network in this process until the returned function is
 * called. Refuses with too_many above the limits: an open stream costs memory for as long as its client likes.
 */
export function reserveStream(sessionId: string, address: string | null): () => void {
  const keys = [
    { key: `session ${sessionId}`, most: STREAMS_PER_SESSION },
    ...(address === null ? [] : [{ key: `network ${networkOf(address)}`, most: config.streamsPerAddress }]),
  ]
  if (keys.some(({ key, most }) => (counts.get(key) ?? 0) >= most)) {
    const variables = { count: RETRY_SECONDS, seconds: RETRY_SECONDS }
    throw new Refusal('too_many', { variables, retryAfterSeconds: RETRY_SECONDS })
  }
  for (const { key } of keys) counts.set(key, (counts.get(key) ?? 0) + 1)
  let open = true
  return () => {
    if (open) for (const { key } of keys) release(key)
    open = false
  }
}

function release(key: string): void {
  const left = (counts.get(key) ?? 1) - 1
  if (left > 0) counts.set(key, left)
  else counts.delete(key)
}
