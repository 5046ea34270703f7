import { generate, verify } from 'otplib'
import { keyedDigest } from '#lib/core/encryption.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { countLimitedAttempt } from './rate-limits.ts'

/** A code is valid for the rest of its step and the next one: 15 to 30 minutes. */
const STEP_SECONDS = 15 * 60

/**
 * The six digits that prove, when they are typed, that a person reads their mailbox now: a time-based one-time password
 * (RFC 6238) with a key of the user and the purpose, so that nothing is stored. It may be used again while it is valid:
 * for actions that a second call does not repeat.
 */
export function createEmailCode(purpose: 'deletion', userId: string): Promise<string> {
  return generate({ secret: keyedDigest(`email code ${purpose}`, userId), period: STEP_SECONDS })
}

/** Checks a code of createEmailCode. Refuses with unprocessable (code_wrong) and too_many. */
export async function requireEmailCode(purpose: 'deletion', userId: string, code: string): Promise<void> {
  await countLimitedAttempt('passwordAccount', userId)
  const secret = keyedDigest(`email code ${purpose}`, userId)
  const isWellFormed = /^\d{6}$/.test(code)
  const { valid } = isWellFormed
    ? await verify({ secret, token: code, period: STEP_SECONDS, epochTolerance: [STEP_SECONDS, 0] })
    : { valid: false }
  if (!valid) throw new Refusal('unprocessable', { fields: { code: ['code_wrong'] } })
}
