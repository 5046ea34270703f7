import { and, eq } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { requireEvent } from '../event.ts'
import { cancelRegistration } from '../own-registration.ts'
import { isOfEvent } from '../seat.ts'
import { registration } from '../table.ts'
import { registerAll } from './import.ts'

/** A person whose order includes an event. */
export interface EventBuyer {
  email: string
  name: string
  phone: string
}

/**
 * Registers a buyer for an event in the caller's transaction: confirmed at once with the email, whatever the form requires
 * and however many seats there are, since it was paid for. Payment does not confirm the address, so the email spends the
 * budgets of unconfirmed ones. A second call does nothing. Refuses with not_found.
 */
export async function registerBuyer(tx: Tx, workshopId: string, buyer: EventBuyer, now: Date): Promise<void> {
  const event = await requireEvent(tx, workshopId, null)
  await registerAll(tx, event, [buyer], async (emailCount) => emailCount, now, { isFollowUp: true })
}

/** Cancels the registration of a buyer whose order was refunded; without one it does nothing. Refuses with not_found. */
export async function cancelBuyer(tx: Tx, workshopId: string, email: string, now: Date): Promise<void> {
  const event = await requireEvent(tx, workshopId, null)
  const [row] = await tx
    .select()
    .from(registration)
    .where(and(isOfEvent(event), eq(registration.email, email)))
  if (row) await cancelRegistration(tx, event, row, now, { isFollowUp: true })
}
