import type { StreamClaims } from './stream-ticket.ts'

/** What the holder of a valid token wants to do in a room. */
export interface StreamUse extends StreamClaims {
  /** When the token was issued, in seconds since 1970. */
  issued: number
}

/**
 * Decides whether a person may use the streams of a room at this moment. A token only proves who somebody is: it may have
 * been signed before a ban, before the start or before the end of an event. The module that owns the rooms supplies it.
 */
export type StreamGuard = (use: StreamUse) => Promise<boolean>

/** Ms for which a verdict is reused: players of HLS ask every second. */
const REUSED_MS = 5000
const MOST_REMEMBERED = 20_000

/** The same guard with each verdict reused for five seconds, which delays a revocation by as much. */
export function rememberVerdicts(guard: StreamGuard): StreamGuard {
  const known = new Map<string, { at: number; verdict: Promise<boolean> }>()
  return (use) => {
    const key = [use.tenantId, use.room, use.person, use.direction].join('/')
    const found = known.get(key)
    const now = Date.now()
    if (found && now - found.at < REUSED_MS) return found.verdict
    if (known.size >= MOST_REMEMBERED) known.clear()
    const verdict = guard(use)
    known.set(key, { at: now, verdict })
    // A failed query must not refuse people for five seconds.
    verdict.catch(() => known.delete(key))
    return verdict
  }
}
