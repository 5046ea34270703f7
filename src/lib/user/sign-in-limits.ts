import { addressOf } from '#lib/core/config/config.ts'
import { networkOf } from '#lib/core/http/address.ts'
import type { RefusalDetails } from '#lib/core/http/refusal.ts'
import { findKnownDevice } from './device.ts'
import { clearLimit, countLimitedAttempt, countLimitedMember, uncountLimitedMember } from './rate-limits.ts'
import type { RequestOrigin } from './session.ts'

type Origin = Pick<RequestOrigin, 'address' | 'device'>

/**
 * Counts a sign-in attempt before the password is compared, so that concurrent attempts cannot exceed the limit together.
 * A known device has a separate count, so other people's attempts do not delay it. Refuses with too_many: `fields.form`
 * has the reason, `data.reset` the page for a new password. Returns a function that clears the count.
 */
export async function countSignInAttempt(
  email: string,
  userId: string | undefined,
  origin: Origin,
): Promise<() => Promise<void>> {
  const device = userId ? findKnownDevice(origin.device, userId) : null
  if (device) {
    const subject = `${userId} ${device}`
    await countLimitedAttempt('signInDevice', subject, detailsOf('sign_in_held_device'))
    return () => clearLimit('signInDevice', subject)
  }
  const pair = `${email} ${networkOf(origin.address)}`
  await countLimitedMember('signInNetwork', origin.address, email, detailsOf('sign_in_held_network'))
  await countLimitedAttempt('signInPair', pair, detailsOf('sign_in_held_account'))
  await countLimitedAttempt('signInAccount', email, detailsOf('sign_in_held_account'))
  return async () => {
    await uncountLimitedMember('signInNetwork', origin.address, email)
    await clearLimit('signInPair', pair)
    await clearLimit('signInAccount', email)
  }
}

/** Counts an attempt of a second factor or recovery code; see countSignInAttempt. */
export async function countSecondStepAttempt(userId: string, origin: Origin): Promise<() => Promise<void>> {
  const device = findKnownDevice(origin.device, userId)
  const [name, subject] = device
    ? (['secondStepDevice', `${userId} ${device}`] as const)
    : (['secondStep', userId] as const)
  await countLimitedAttempt(name, subject, detailsOf('second_step_held'))
  return () => clearLimit(name, subject)
}

const detailsOf = (key: string): RefusalDetails => ({
  fields: { form: [key] },
  data: { reset: addressOf(null, '/forgot-password') },
})
