/** Whether the login session of a token is valid and its user still belongs to the tenant. */
export type SessionCheck = (token: string, tenantId: string) => Promise<boolean>

/** Seconds after a sign-out until all file URLs stop working. */
export const SIGN_OUT_SECONDS = 60
/** Lifetime of a cached result. */
export const CACHE_TTL_SECONDS = 15
const MAX_CACHED = 10_000

/**
 * Caches the results of a check for some seconds: a video is requested in hundreds of segments. Short enough that URLs
 * stop working within a minute after a sign-out. Failed checks are not cached.
 */
export function cacheSessionCheck(check: SessionCheck, now: () => number = Date.now): SessionCheck {
  const cache = new Map<string, { until: number; verdict: Promise<boolean> }>()
  return (token, tenantId) => {
    const key = `${tenantId} ${token}`
    const cached = cache.get(key)
    if (cached && cached.until > now()) return cached.verdict
    // A Map iterates in the order of insertion, so the first entry is the oldest.
    cache.delete(key)
    const [oldest] = cache.keys()
    if (cache.size >= MAX_CACHED && oldest !== undefined) cache.delete(oldest)
    const verdict = check(token, tenantId)
    cache.set(key, { until: now() + CACHE_TTL_SECONDS * 1000, verdict })
    verdict.catch(() => cache.delete(key))
    return verdict
  }
}
