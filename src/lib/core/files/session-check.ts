/** Whether the session of a token lasts and its person still belongs to this school. */
export type SessionCheck = (token: string, tenantId: string) => Promise<boolean>

/** Seconds after a sign-out until no address of a file works any more. */
export const SIGN_OUT_SECONDS = 60
/** How long an answer is remembered; signed addresses that are handed out meanwhile last on. */
export const CACHE_TTL_SECONDS = 15
const MAX_CACHED = 10_000

/**
 * Remembers the answers of a check for a few seconds: a film asks for hundreds of pieces, and an address shall stop
 * working within a minute after its person signed out, or was signed out. A check that fails is not remembered.
 */
export function cacheSessionCheck(check: SessionCheck, now: () => number = Date.now): SessionCheck {
  const cache = new Map<string, { until: number; verdict: Promise<boolean> }>()
  return (token, tenantId) => {
    const key = `${tenantId} ${token}`
    const cached = cache.get(key)
    if (cached && cached.until > now()) return cached.verdict
    // The oldest is the first: a Map keeps the order of insertion.
    cache.delete(key)
    const [oldest] = cache.keys()
    if (cache.size >= MAX_CACHED && oldest !== undefined) cache.delete(oldest)
    const verdict = check(token, tenantId)
    cache.set(key, { until: now() + CACHE_TTL_SECONDS * 1000, verdict })
    verdict.catch(() => cache.delete(key))
    return verdict
  }
}
