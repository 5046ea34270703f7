import { addressOf } from '#lib/core/config/config.ts'
import { networkOf } from '#lib/core/http/address.ts'
import type { RefusalDetails } from '#lib/core/http/refusal.ts'
import { findKnownDevice } from './device.ts'
import { clearLimit, countLimitedAttempt, countLimitedMember, uncountLimitedMember } from './rate-limits.ts'
import type { RequestOrigin } from './session.ts'

type From = Pick<RequestOrigin, 'address' | 'device'>

/**
 * Counts an attempt to sign in, before the password is compared, so that attempts at once can't pass together. A device
 * that signed in to this account before has a count of its own, so strangers can't delay it. Refuses with too_many:
 * `fields.form` says why, `data.reset` is where a new password is set. Gives the way to take the count back.
 */
export async function countSignInAttempt(
  email: string,
  userId: string | undefined,
  from: From,
): Promise<() => Promise<void>> {
  const device = userId ? findKnownDevice(from.device, userId) : null
  if (device) {
    const who = `${userId} ${device}`
    await countLimitedAttempt('signInDevice', who, reason('sign_in_held_device'))
    return () => clearLimit('signInDevice', who)
  }
  const pair = `${email} ${networkOf(from.address)}`
  await countLimitedMember('signInNetwork', from.address, email, reason('sign_in_held_network'))
  await countLimitedAttempt('signInPair', pair, reason('sign_in_held_account'))
  await countLimitedAttempt('signInAccount', email, reason('sign_in_held_account'))
  return async () => {
    await uncountLimitedMember('signInNetwork', from.address, email)
    await clearLimit('signInPair', pair)
    await clearLimit('signInAccount', email)
  }
}

/** The same for codes of the second factor and recovery codes. */
export async function countSecondStepAttempt(userId: string, from: From): Promise<() => Promise<void>> {
  const device = findKnownDevice(from.device, userId)
  const [what, who] = device
    ? (['secondStepDevice', `${userId} ${device}`] as const)
    : (['secondStep', userId] as const)
  await countLimitedAttempt(what, who, reason('second_step_held'))
  return () => clearLimit(what, who)
}

const reason = (key: string): RefusalDetails => ({
  fields: { form: [key] },
  data: { reset: addressOf(null, '/forgot-password') },
})
