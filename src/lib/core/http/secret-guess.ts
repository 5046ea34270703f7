import { createHash } from 'node:crypto'
import { countDistinctAttempt, type ThrottleRule, uncountAttempt } from './throttle.ts'

/**
 * Counts a typed code before it is compared, so that simultaneous guesses are limited too; the same code counts once.
 * Returns a function that takes the count back, to be called when the code is right: people with the right code are not
 * limited. Has to be called outside a transaction. Refuses with too_many.
 * @param subject whose guesses are counted, without personal data
 */
export async function countGuess(subject: string, code: string, rule: ThrottleRule): Promise<() => Promise<void>> {
  const member = createHash('sha256').update(code.trim().toUpperCase()).digest('base64url')
  await countDistinctAttempt(subject, member, rule)
  return () => uncountAttempt(subject, member, rule)
}
