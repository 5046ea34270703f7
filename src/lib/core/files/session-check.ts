/** Whether the session of a token lasts and its person still belongs to this school. */
export type SessionCheck = (token: string, tenantId: string) => Promise<boolean>

/** Seconds after a sign-out until no address of a file works any more. */
export const SIGN_OUT_SECONDS = 60
/** How long an answer is remembered; signed addresses that are handed out meanwhile last on. */
export const REMEMBERED_SECONDS = 15
const MOST = 10_000

/**
 * Remembers the answers of a check for a few seconds: a film asks for hundreds of pieces, and an address shall stop
 * working within a minute after its person signed out, or was signed out. A check that fails is not remembered.
 */
export function rememberedCheck(check: SessionCheck, now: () => number = Date.now): SessionCheck {
  const known = new Map<string, { until: number; answer: Promise<boolean> }>()
  return (token, tenantId) => {
    const key = `${tenantId} ${token}`
    const found = known.get(key)
    if (found && found.until > now()) return found.answer
    // The oldest is the first: a Map keeps the order of insertion.
    known.delete(key)
    const [oldest] = known.keys()
    if (known.size >= MOST && oldest !== undefined) known.delete(oldest)
    const answer = check(token, tenantId)
    known.set(key, { until: now() + REMEMBERED_SECONDS * 1000, answer })
    answer.catch(() => known.delete(key))
    return answer
  }
}
