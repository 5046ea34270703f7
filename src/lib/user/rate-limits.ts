import { networkOf } from '#lib/core/http/address.ts'
import type { RefusalDetails } from '#lib/core/http/refusal.ts'
import {
  clearAttempts,
  countAttempt,
  countDistinctAttempt,
  type ThrottleRule,
  uncountAttempt,
} from '#lib/core/http/throttle.ts'
import { digest } from './token.ts'

const HOUR = 3600
const LONGEST_WAIT = 15 * 60

/** How often what may be tried: docs/decisions/033-throttling.md says why. */
const RULES = {
  /** Wrong passwords for an account from one network. */
  signInPair: { limit: 5, windowSeconds: HOUR, maxWaitSeconds: LONGEST_WAIT },
  /** The same from all networks together. */
  signInAccount: { limit: 20, windowSeconds: HOUR, maxWaitSeconds: LONGEST_WAIT },
  /** The same from a device that signed in before. */
  signInDevice: { limit: 10, windowSeconds: HOUR, maxWaitSeconds: LONGEST_WAIT },
  /** Different accounts that one network fails to sign in to. */
  signInNetwork: { limit: 50, windowSeconds: HOUR, maxWaitSeconds: LONGEST_WAIT },
  secondStep: { limit: 5, windowSeconds: HOUR, maxWaitSeconds: LONGEST_WAIT },
  secondStepDevice: { limit: 10, windowSeconds: HOUR, maxWaitSeconds: LONGEST_WAIT },
  passwordAccount: { limit: 5, windowSeconds: HOUR, maxWaitSeconds: LONGEST_WAIT },
  registerNetwork: { limit: 30, windowSeconds: HOUR },
  resetNetwork: { limit: 60, windowSeconds: HOUR },
  verifyNetwork: { limit: 60, windowSeconds: HOUR },
  /** Codes tried for an e-mail address, whichever of its codes they were meant for. */
  codeEmail: { limit: 15, windowSeconds: 24 * HOUR },
  /** Letters that somebody who is not signed in can cause: to one address, and from one network. The window is not
   *  longer than a reset link lives, so a stranger who spends it has left a link that works in the mailbox. */
  verificationEmail: { limit: 5, windowSeconds: HOUR },
  resetEmail: { limit: 3, windowSeconds: HOUR },
  letterNetwork: { limit: 60, windowSeconds: HOUR },
} satisfies Record<string, ThrottleRule>

export type RateLimitName = keyof typeof RULES

/** Counts one attempt of somebody (an id, an e-mail, a network address). Refuses with too_many. */
export function countLimitedAttempt(what: RateLimitName, who: string, details?: RefusalDetails): Promise<void> {
  return countAttempt(keyOf(what, who), RULES[what], details)
}

/** Counts `member` once an hour, e.g. an account that a network tries. Refuses with too_many. */
export function countLimitedMember(
  what: RateLimitName,
  who: string,
  member: string,
  details?: RefusalDetails,
): Promise<void> {
  return countDistinctAttempt(keyOf(what, who), hashed(member), RULES[what], details)
}

/** Forgets somebody's attempts, e.g. after the right password. */
export function clearLimit(what: RateLimitName, who: string): Promise<void> {
  return clearAttempts(keyOf(what, who))
}

/** Forgets one member that countLimitedMember counted. */
export function uncountLimitedMember(what: RateLimitName, who: string, member: string): Promise<void> {
  return uncountAttempt(keyOf(what, who), hashed(member), RULES[what])
}

// Digests, so that the table holds no e-mails and no addresses.
function keyOf(what: RateLimitName, who: string): string {
  return `${what}:${hashed(what.endsWith('Network') ? networkOf(who) : who)}`
}

const hashed = (text: string): string => digest(text).toString('base64url')
