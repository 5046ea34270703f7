import { and, count, eq, gt, inArray, or } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { PAID_STATES } from './rules.ts'
import { salesOrder } from './table.ts'

/**
 * How many seats of an offer are sold, or reserved while their buyers pay. A transaction that takes one has locked the row of the
 * offer, so that two buyers never get the last one.
 */
export async function countTakenSeats(tx: Tx, offerId: string, now: Date): Promise<number> {
  const [row] = await tx
    .select({ taken: count() })
    .from(salesOrder)
    .where(
      and(
        eq(salesOrder.offerId, offerId),
        or(
          inArray(salesOrder.state, [...PAID_STATES]),
          and(eq(salesOrder.state, 'awaiting_payment'), gt(salesOrder.expiresAt, now)),
        ),
      ),
    )
  return row?.taken ?? 0
}
