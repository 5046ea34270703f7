import { generate, verify } from 'otplib'
import { keyedDigest } from '#lib/core/encryption.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { countLimitedAttempt } from '#lib/user/rate-limits.ts'

/** A code is valid for the rest of its step and the next one: 15 to 30 minutes. */
const STEP_SECONDS = 15 * 60
const PURPOSE = 'deletion code'

/**
 * The six digits that prove access to the mailbox of a person: a time-based one-time password (RFC 6238) with a key of
 * the user, so that nothing is stored. It may be used again while it is valid: a second request for deletion changes
 * nothing.
 */
export function createDeletionCode(userId: string): Promise<string> {
  return generate({ secret: keyedDigest(PURPOSE, userId), period: STEP_SECONDS })
}

/** Checks a code of createDeletionCode. Refuses with unprocessable (code_wrong) and too_many. */
export async function requireDeletionCode(userId: string, code: string): Promise<void> {
  await countLimitedAttempt('passwordAccount', userId)
  const secret = keyedDigest(PURPOSE, userId)
  const isWellFormed = /^\d{6}$/.test(code)
  const { valid } = isWellFormed
    ? await verify({ secret, token: code, period: STEP_SECONDS, epochTolerance: [STEP_SECONDS, 0] })
    : { valid: false }
  if (!valid) throw new Refusal('unprocessable', { fields: { code: ['code_wrong'] } })
}
