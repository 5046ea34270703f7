import { and, count, eq, inArray, isNull, or, type SQL, sql } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { PAID_STATES } from './rules.ts'
import { salesOrder } from './table.ts'

/** Condition: a payment of an order is pending: the bank has not decided about it. */
export const hasPendingPayment = sql`exists (select 1 from payment p where p.tenant_id = ${salesOrder.tenantId}
  and p.purpose = 'order' and p.purpose_id = ${salesOrder.id} and p.status = 'pending')`

/** Condition: an unpaid order keeps its seat and its use of a coupon, until its time has passed and the bank has decided. */
export const isReservation = (now: Date): SQL =>
  sql`(${salesOrder.state} = 'awaiting_payment'
    and (${salesOrder.reservedUntil} > ${now.toISOString()}::timestamptz or ${hasPendingPayment}))`

/** Condition: an order was paid and its access was not ended by a refund, also of a part. */
export const isPaidAccess = (): SQL | undefined =>
  and(inArray(salesOrder.state, [...PAID_STATES]), isNull(salesOrder.accessEndedAt))

/**
 * How many seats of an offer are sold, or reserved while their buyers pay. A transaction that takes one has locked the row of the
 * offer, so that two buyers never get the last one.
 */
export async function countTakenSeats(tx: Tx, offerId: string, now: Date): Promise<number> {
  const [row] = await tx
    .select({ taken: count() })
    .from(salesOrder)
    .where(and(eq(salesOrder.offerId, offerId), or(isPaidAccess(), isReservation(now))))
  return row?.taken ?? 0
}
