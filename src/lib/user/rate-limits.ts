import { networkOf } from '#lib/core/http/address.ts'
import type { RefusalDetails } from '#lib/core/http/refusal.ts'
import {
  clearAttempts,
  countAttempt,
  countDistinctAttempt,
  type ThrottleRule,
  uncountAttempt,
} from '#lib/core/http/throttle.ts'
import { DAY_SECONDS, HOUR_SECONDS } from '#lib/core/shared/time.ts'
import { digestToken } from './token.ts'

const MAX_WAIT_SECONDS = 15 * 60

/** The rate limits; see docs/decisions/033-throttling.md. */
const RULES = {
  /** Wrong passwords for an account from one network. */
  signInPair: { limit: 5, windowSeconds: HOUR_SECONDS, maxWaitSeconds: MAX_WAIT_SECONDS },
  /** Wrong passwords for an account from all networks. */
  signInAccount: { limit: 20, windowSeconds: HOUR_SECONDS, maxWaitSeconds: MAX_WAIT_SECONDS },
  /** Wrong passwords for an account from a known device. */
  signInDevice: { limit: 10, windowSeconds: HOUR_SECONDS, maxWaitSeconds: MAX_WAIT_SECONDS },
  /** Different accounts to which sign-ins from one network failed. */
  signInNetwork: { limit: 50, windowSeconds: HOUR_SECONDS, maxWaitSeconds: MAX_WAIT_SECONDS },
  secondStep: { limit: 5, windowSeconds: HOUR_SECONDS, maxWaitSeconds: MAX_WAIT_SECONDS },
  secondStepDevice: { limit: 10, windowSeconds: HOUR_SECONDS, maxWaitSeconds: MAX_WAIT_SECONDS },
  passwordAccount: { limit: 5, windowSeconds: HOUR_SECONDS, maxWaitSeconds: MAX_WAIT_SECONDS },
  registerNetwork: { limit: 30, windowSeconds: HOUR_SECONDS },
  resetNetwork: { limit: 60, windowSeconds: HOUR_SECONDS },
  verifyNetwork: { limit: 60, windowSeconds: HOUR_SECONDS },
  /** Attempts of codes for an email address, over all its codes. */
  codeEmail: { limit: 15, windowSeconds: DAY_SECONDS },
  /** Emails that an anonymous request can cause: to one address, and from one network. The window is not longer than
   *  the validity of a reset link, so after the limit is used up the mailbox still has a working link. */
  verificationEmail: { limit: 5, windowSeconds: HOUR_SECONDS },
  resetEmail: { limit: 3, windowSeconds: HOUR_SECONDS },
  emailNetwork: { limit: 60, windowSeconds: HOUR_SECONDS },
} satisfies Record<string, ThrottleRule>

export type RateLimitName = keyof typeof RULES

/** Counts one attempt of a subject (an id, an email or IP address). Refuses with too_many. */
export function countLimitedAttempt(name: RateLimitName, subject: string, details?: RefusalDetails): Promise<void> {
  return countAttempt(rateLimitKey(name, subject), RULES[name], details)
}

/** Counts `member` once an hour, e.g. an account that a network tries. Refuses with too_many. */
export function countLimitedMember(
  name: RateLimitName,
  subject: string,
  member: string,
  details?: RefusalDetails,
): Promise<void> {
  return countDistinctAttempt(rateLimitKey(name, subject), hashed(member), RULES[name], details)
}

/** Deletes the count of a subject, e.g. after the right password. */
export function clearLimit(name: RateLimitName, subject: string): Promise<void> {
  return clearAttempts(rateLimitKey(name, subject))
}

/** Removes a member that countLimitedMember has counted. */
export function uncountLimitedMember(name: RateLimitName, subject: string, member: string): Promise<void> {
  return uncountAttempt(rateLimitKey(name, subject), hashed(member), RULES[name])
}

// Digests, so that the table contains no email and no IP addresses.
function rateLimitKey(name: RateLimitName, subject: string): string {
  return `${name}:${hashed(name.endsWith('Network') ? networkOf(subject) : subject)}`
}

const hashed = (text: string): string => digestToken(text).toString('base64url')
