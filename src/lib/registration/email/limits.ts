import { networkOf } from '#lib/core/http/address.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { countAttempt } from '#lib/core/http/throttle.ts'
import { digestKey } from '../join-key.ts'

// A class that registers from one school's network has room; somebody who tries addresses has not.
const NETWORK_LIMIT = { limit: 120, windowSeconds: 600 }
const MAILBOX_LIMIT = { limit: 4, windowSeconds: 3600 }
const MAILBOX_TOTAL_LIMIT = { limit: 15, windowSeconds: 3600 }

/** Counts a try of a public form against the network it comes from. Refuses with too_many. */
export const throttleNetwork = (address: string): Promise<void> =>
  countAttempt(`registration:${digestKey(networkOf(address))}`, NETWORK_LIMIT)

/**
 * Counts a registration that somebody who has not proved the address types, over all events and networks: each event
 * mails the address anew. Refuses with too_many.
 */
export const throttleMailbox = (email: string): Promise<void> =>
  countAttempt(`registration-mailbox:${digestKey(email)}`, MAILBOX_TOTAL_LIMIT, {
    fields: { form: ['letters_exhausted'] },
  })

/** Whether one more letter may go to this mailbox because somebody typed its address. */
export async function canEmail(workshopId: string, email: string): Promise<boolean> {
  try {
    await countAttempt(`registration-mail:${digestKey(`${workshopId} ${email}`)}`, MAILBOX_LIMIT)
    return true
  } catch (error) {
    if (error instanceof Refusal && error.code === 'too_many') return false
    throw error
  }
}
