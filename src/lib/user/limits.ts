import { sql } from 'drizzle-orm'
import { inSystem } from '#lib/core/db/db.ts'
import { networkOf } from '#lib/core/http/address.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { attempt, clear, type ThrottleRule } from '#lib/core/http/throttle.ts'
import { digest } from './token.ts'

/** How often what may be tried; the numbers are those of product.md 1. */
const RULES = {
  signInAccount: { limit: 5, windowSeconds: 60, growing: true },
  signInAddress: { limit: 30, windowSeconds: 60, growing: true },
  secondStep: { limit: 5, windowSeconds: 60, growing: true },
  registerAddress: { limit: 30, windowSeconds: 3600 },
  resetAccount: { limit: 3, windowSeconds: 3600 },
  resetAddress: { limit: 60, windowSeconds: 3600 },
  verifyAddress: { limit: 60, windowSeconds: 3600 },
  resendAccount: { limit: 10, windowSeconds: 3600 },
  passwordAccount: { limit: 5, windowSeconds: 60, growing: true },
} satisfies Record<string, ThrottleRule>

export type Limited = keyof typeof RULES

/** Counts one try of somebody. Refuses with too_many. */
export function limit(what: Limited, who: string): Promise<void> {
  return attempt(keyOf(what, who), RULES[what])
}

/** Refuses with too_many while somebody is held back, without counting: where only failures count. */
export async function refuseHeldBack(what: Limited, who: string): Promise<void> {
  const { rows } = await inSystem((tx) =>
    tx.execute<{ seconds: number }>(
      sql`select ceil(extract(epoch from blocked_until - now()))::int as seconds
            from throttle where key = ${keyOf(what, who)} and blocked_until > now()`,
    ),
  )
  const seconds = rows[0]?.seconds
  if (seconds) throw new Refusal('too_many', { variables: { seconds, count: seconds }, retryAfterSeconds: seconds })
}

/** Forgets somebody's tries, e.g. after the right password. */
export function forgive(what: Limited, who: string): Promise<void> {
  return clear(keyOf(what, who))
}

// Digests, so that the table holds no e-mails and no addresses.
function keyOf(what: Limited, who: string): string {
  const whom = what.endsWith('Address') ? networkOf(who) : who
  return `${what}:${digest(whom).toString('base64url')}`
}
