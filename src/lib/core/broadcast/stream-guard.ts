import type { StreamClaims } from './stream-token.ts'

/** A request to publish or play, by the claims of a valid token. */
export interface StreamRequest extends StreamClaims {
  /** Issue time of the token, in seconds since 1970. */
  issuedAt: number
}

/**
 * Decides whether a participant may publish or play now. A token alone is not enough: it may have been signed before a
 * ban, or before the start or the end of an event. The module that owns the rooms provides the guard.
 */
export type StreamGuard = (request: StreamRequest) => Promise<boolean>

/** HLS players send a request every second. */
const VERDICT_TTL_MS = 5000
const MAX_CACHED_VERDICTS = 20_000

/** Caches the verdicts of a guard for five seconds, which delays a revocation by that time. */
export function cacheVerdicts(guard: StreamGuard): StreamGuard {
  const cache = new Map<string, { cachedAt: number; verdict: Promise<boolean> }>()
  return (request) => {
    const key = [request.tenantId, request.room, request.participant, request.direction].join('/')
    const cached = cache.get(key)
    const now = Date.now()
    if (cached && now - cached.cachedAt < VERDICT_TTL_MS) return cached.verdict
    if (cache.size >= MAX_CACHED_VERDICTS) cache.clear()
    const verdict = guard(request)
    cache.set(key, { cachedAt: now, verdict })
    // A failed query must not be cached as a refusal.
    verdict.catch(() => cache.delete(key))
    return verdict
  }
}
