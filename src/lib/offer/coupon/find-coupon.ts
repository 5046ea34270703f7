import { and, count, eq, inArray, or } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import type { Currency } from '#lib/payment/schema.ts'
import { isSameMailbox } from '../order/mailbox-sql.ts'
import { PAID_STATES } from '../order/rules.ts'
import { isReservation } from '../order/seats.ts'
import { salesOrder } from '../order/table.ts'
import { CouponCode } from './schema.ts'
import { coupon } from './table.ts'

export type CouponRow = typeof coupon.$inferSelect

/** Why a coupon does not apply: keys of `errors`. */
export type CouponProblem =
  | 'coupon_unknown'
  | 'coupon_not_started'
  | 'coupon_ended'
  | 'coupon_other_offer'
  | 'coupon_currency'
  | 'coupon_used_up'
  | 'coupon_used_by_you'

interface CouponUse {
  offerId: string
  currency: Currency
  /** Null while the buyer is unknown. */
  email: string | null
}

/**
 * Finds the coupon of a typed code and whether it applies to an offer. With `isLocked` its row is locked, so that the last
 * use is taken once; uses are orders that are paid, or reserved while their buyers pay.
 */
export async function findCoupon(
  tx: Tx,
  typed: string,
  use: CouponUse,
  { now, isLocked }: { now: Date; isLocked: boolean },
): Promise<{ coupon: CouponRow; problem: null } | { coupon: null; problem: CouponProblem }> {
  const code = CouponCode.safeParse(typed)
  if (!code.success) return { coupon: null, problem: 'coupon_unknown' }
  const query = tx.select().from(coupon).where(eq(coupon.code, code.data))
  const [row] = await (isLocked ? query.for('update') : query)
  const problem = row ? (staticProblem(row, use, now) ?? (await limitProblem(tx, row, use, now))) : 'coupon_unknown'
  return row && !problem ? { coupon: row, problem: null } : { coupon: null, problem: problem ?? 'coupon_unknown' }
}

function staticProblem(row: CouponRow, { offerId, currency }: CouponUse, now: Date): CouponProblem | null {
  if (row.disabledAt) return 'coupon_unknown'
  if (row.startsAt && row.startsAt > now) return 'coupon_not_started'
  if (row.endsAt && row.endsAt <= now) return 'coupon_ended'
  if (row.offerIds && !row.offerIds.includes(offerId)) return 'coupon_other_offer'
  return row.type !== 'percent' && row.currency !== currency ? 'coupon_currency' : null
}

async function limitProblem(tx: Tx, row: CouponRow, { email }: CouponUse, now: Date): Promise<CouponProblem | null> {
  if (row.maxTotal !== null && (await countCouponUses(tx, row.id, null, now)) >= row.maxTotal) return 'coupon_used_up'
  if (row.maxPerPerson === null || email === null) return null
  return (await countCouponUses(tx, row.id, email, now)) >= row.maxPerPerson ? 'coupon_used_by_you' : null
}

/** How often a coupon was used, by everybody or by one buyer; reservations count. */
export async function countCouponUses(tx: Tx, couponId: string, email: string | null, now: Date): Promise<number> {
  const [row] = await tx
    .select({ uses: count() })
    .from(salesOrder)
    .where(
      and(
        eq(salesOrder.couponId, couponId),
        email === null ? undefined : isSameMailbox(email),
        or(inArray(salesOrder.state, [...PAID_STATES, 'refunded']), isReservation(now)),
      ),
    )
  return row?.uses ?? 0
}
