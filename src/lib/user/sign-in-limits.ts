import { addressOf } from '#lib/core/config/config.ts'
import { networkOf } from '#lib/core/http/address.ts'
import type { RefusalDetails } from '#lib/core/http/refusal.ts'
import { knownDevice } from './device.ts'
import { forgive, forgiveMember, limit, limitDistinct } from './limits.ts'
import type { Caller } from './session.ts'

type From = Pick<Caller, 'address' | 'device'>

/**
 * Counts an attempt to sign in, before the password is compared, so that attempts at once can't pass together. A device
 * that signed in to this account before has a count of its own, so strangers can't delay it. Refuses with too_many:
 * `fields.form` says why, `data.reset` is where a new password is set. Gives the way to take the count back.
 */
export async function countSignIn(email: string, userId: string | undefined, from: From): Promise<() => Promise<void>> {
  const device = userId ? knownDevice(from.device, userId) : null
  if (device) {
    const who = `${userId} ${device}`
    await limit('signInDevice', who, reason('sign_in_held_device'))
    return () => forgive('signInDevice', who)
  }
  const pair = `${email} ${networkOf(from.address)}`
  await limitDistinct('signInNetwork', from.address, email, reason('sign_in_held_network'))
  await limit('signInPair', pair, reason('sign_in_held_account'))
  await limit('signInAccount', email, reason('sign_in_held_account'))
  return async () => {
    await forgiveMember('signInNetwork', from.address, email)
    await forgive('signInPair', pair)
    await forgive('signInAccount', email)
  }
}

/** The same for codes of the second factor and recovery codes. */
export async function countSecondStep(userId: string, from: From): Promise<() => Promise<void>> {
  const device = knownDevice(from.device, userId)
  const [what, who] = device
    ? (['secondStepDevice', `${userId} ${device}`] as const)
    : (['secondStep', userId] as const)
  await limit(what, who, reason('second_step_held'))
  return () => forgive(what, who)
}

const reason = (key: string): RefusalDetails => ({
  fields: { form: [key] },
  data: { reset: addressOf(null, '/forgot-password') },
})
