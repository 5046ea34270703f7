import { countUnconfirmedEmail } from '#lib/billing/unconfirmed-emails/unconfirmed-emails.ts'
import type { Tx } from '#lib/core/db/db.ts'
import { networkOf } from '#lib/core/http/address.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { countAttempt, spendBudget } from '#lib/core/http/throttle.ts'
import { mailboxOf } from '#lib/core/shared/text/mailbox.ts'
import { DAY_SECONDS, HOUR_SECONDS } from '#lib/core/shared/time.ts'
import { digestKey } from '../join-key.ts'

// A school class may register from one network; guessing addresses is limited.
const NETWORK_LIMIT = { limit: 120, windowSeconds: 600 }
const MAILBOX_LIMIT = { limit: 4, windowSeconds: HOUR_SECONDS }
const MAILBOX_TOTAL_LIMIT = { limit: 15, windowSeconds: HOUR_SECONDS }

/** Counts an attempt at a public form per network. Refuses with too_many. */
export const throttleNetwork = (address: string): Promise<void> =>
  countAttempt(`registration:${digestKey(networkOf(address))}`, NETWORK_LIMIT)

/**
 * Counts registrations with an unverified email address, over all events and networks, since each event sends an email.
 * Refuses with too_many.
 */
export const throttleMailbox = (email: string): Promise<void> =>
  countAttempt(`registration-mailbox:${digestKey(mailboxOf(email))}`, MAILBOX_TOTAL_LIMIT, {
    fields: { form: ['emails_exhausted'] },
  })

/** Unverified visitors of one network that get limited seats of an event: half of them, at least these. */
const MIN_SEATS_OF_NETWORK = 10

/**
 * Counts a seat of an event that an unverified visitor takes, by network, so that one visitor with many addresses cannot
 * take all of them. Refuses with too_many.
 */
export async function countSeatOfNetwork(
  tx: Tx,
  { workshopId, capacity, address }: { workshopId: string; capacity: number; address: string },
): Promise<void> {
  const rule = { limit: Math.max(MIN_SEATS_OF_NETWORK, Math.floor(capacity / 2)), windowSeconds: 7 * DAY_SECONDS }
  const key = `registration-seat:${digestKey(`${workshopId} ${networkOf(address)}`)}`
  const { granted } = await spendBudget(tx, key, 1, rule)
  if (granted === 0) throw new Refusal('too_many')
}

/** Whether one more email about an event may be sent to an address; `unverified`: with text of an unknown visitor. */
export async function canEmail(
  workshopId: string,
  email: string,
  unverified: { tenantId: string; address: string } | null,
): Promise<boolean> {
  try {
    if (unverified) {
      await countUnconfirmedEmail(unverified.tenantId, { kind: 'own', to: email, address: unverified.address })
    }
    await countAttempt(`registration-mail:${digestKey(`${workshopId} ${mailboxOf(email)}`)}`, MAILBOX_LIMIT)
    return true
  } catch (error) {
    if (error instanceof Refusal && error.code === 'too_many') return false
    throw error
  }
}
