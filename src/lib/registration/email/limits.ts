import { networkOf } from '#lib/core/http/address.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { attempt } from '#lib/core/http/throttle.ts'
import { digestOf } from '../key.ts'

// A class that registers from one school's network has room; somebody who tries addresses has not.
const NETWORK = { limit: 120, windowSeconds: 600 }
const MAILBOX = { limit: 4, windowSeconds: 3600 }
const ALL_EVENTS = { limit: 15, windowSeconds: 3600 }

/** Counts a try of a public form against the network it comes from. Refuses with too_many. */
export const limitNetwork = (address: string): Promise<void> =>
  attempt(`registration:${digestOf(networkOf(address))}`, NETWORK)

/**
 * Counts a registration that somebody who has not proved the address types, over all events and networks: each event
 * mails the address anew. Refuses with too_many.
 */
export const limitMailbox = (email: string): Promise<void> =>
  attempt(`registration-mailbox:${digestOf(email)}`, ALL_EVENTS, { fields: { form: ['letters_exhausted'] } })

/** Whether one more letter may go to this mailbox because somebody typed its address. */
export async function mayWriteTo(workshopId: string, email: string): Promise<boolean> {
  try {
    await attempt(`registration-mail:${digestOf(`${workshopId} ${email}`)}`, MAILBOX)
    return true
  } catch (error) {
    if (error instanceof Refusal && error.code === 'too_many') return false
    throw error
  }
}
