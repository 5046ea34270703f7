import { and, count, eq, gt, type SQL } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { keyedDigest } from '#lib/core/encryption.ts'
import { networkOf } from '#lib/core/http/address.ts'
import { formRefusal } from '#lib/core/http/refusal.ts'
import { DAY_MS, MINUTE_MS } from '#lib/core/shared/time.ts'
import type { ProviderName } from '#lib/payment/schema.ts'
import { countCouponUses } from '../coupon/find-coupon.ts'
import { coupon } from '../coupon/table.ts'
import { isSameMailbox } from '../order/mailbox-sql.ts'
import { RESERVATION_MINUTES } from '../order/rules.ts'
import { countTakenSeats, isReservation } from '../order/seats.ts'
import { salesOrder } from '../order/table.ts'
import { offer } from '../table.ts'

/** Days in which an invoice can be paid by bank transfer. */
const INVOICE_DAYS = 7

/** Unpaid orders of one email address that hold a seat of an offer, or a use of a coupon, at a time. */
const MAX_PER_ADDRESS = 2
/** The same from one network: a quarter of what there is, within these bounds. */
const PER_NETWORK = { min: 2, max: 10 }

/** What is limited: the seats of an offer, or the uses of a coupon; null: it is not. */
export interface LimitedStock {
  offerId: string
  seats: number | null
  couponId: string | null
  couponUses: number | null
}

/** How long a seat is reserved while the bank answers. */
export const shortReservationEnd = (now: Date): Date => new Date(now.getTime() + RESERVATION_MINUTES * MINUTE_MS)

/** Until when an order can be paid by this provider. */
export const paymentDeadline = (provider: ProviderName | undefined, now: Date): Date =>
  provider === 'bank' ? new Date(now.getTime() + INVOICE_DAYS * DAY_MS) : shortReservationEnd(now)

/** The digest of a buyer's network that is stored with an unpaid order. */
export const networkKeyOf = (address: string): string =>
  keyedDigest('order-network', networkOf(address)).toString('base64url')

/**
 * Refuses with unprocessable (order_too_many_unpaid) when unpaid orders of this address or network hold as many seats of the
 * offer, or uses of the coupon, as one may. The caller has locked the offer and the coupon. A verified buyer does not answer
 * for the network.
 */
export async function requireReservationRoom(
  tx: Tx,
  stock: LimitedStock,
  { email, networkKey, now }: { email: string; networkKey: string | null; now: Date },
): Promise<void> {
  for (const { condition, limit } of limitsOf(stock)) {
    const countHeld = (who: SQL) => countReservations(tx, and(condition, who, isReservation(now)))
    const perNetwork = Math.min(PER_NETWORK.max, Math.max(PER_NETWORK.min, Math.floor(limit / 4)))
    const isFull =
      (await countHeld(isSameMailbox(email))) >= MAX_PER_ADDRESS ||
      (networkKey !== null && (await countHeld(eq(salesOrder.networkKey, networkKey))) >= perNetwork)
    if (isFull) throw formRefusal('order_too_many_unpaid')
  }
}

/**
 * Until when a seat and a use of a coupon are reserved for the bank transfer of a buyer with a confirmed address: until
 * `deadline`, as long as such orders hold at most half of what there is, otherwise for the answer of a bank only.
 */
export async function transferReservationEnd(
  tx: Tx,
  stock: LimitedStock,
  { deadline, now }: { deadline: Date; now: Date },
): Promise<Date> {
  const short = shortReservationEnd(now)
  for (const { condition, limit } of limitsOf(stock)) {
    const isLong = and(condition, isReservation(now), gt(salesOrder.reservedUntil, short))
    if ((await countReservations(tx, isLong)) >= Math.max(1, Math.floor(limit / 2))) return short
  }
  return deadline
}

/** The seats and coupon of an order; locked where the caller takes some of them. */
export async function readStock(
  tx: Tx,
  { offerId, couponId }: { offerId: string; couponId: string | null },
  { isLocked = false } = {},
): Promise<LimitedStock> {
  const offers = tx.select({ seats: offer.seats }).from(offer).where(eq(offer.id, offerId))
  const [row] = await (isLocked ? offers.for('update') : offers)
  const coupons = couponId ? tx.select({ uses: coupon.maxTotal }).from(coupon).where(eq(coupon.id, couponId)) : null
  const [used] = coupons ? await (isLocked ? coupons.for('update') : coupons) : []
  return { offerId, seats: row?.seats ?? null, couponId, couponUses: used?.uses ?? null }
}

/**
 * Keeps the seat and the coupon of an unpaid order while the bank answers, also after their reservation has ended. The
 * caller has locked them. Refuses with unprocessable (offer_sold_out, coupon_used_up) when others have taken them.
 */
export async function renewReservation(tx: Tx, stock: LimitedStock, order: Reserved, now: Date): Promise<void> {
  if (order.state !== 'awaiting_payment' || (order.reservedUntil && order.reservedUntil > now)) return
  const missing = await findMissingStock(tx, stock, now)
  if (missing) throw formRefusal(missing)
  await tx
    .update(salesOrder)
    .set({ reservedUntil: shortReservationEnd(now) })
    .where(eq(salesOrder.id, order.id))
}

type Reserved = Pick<typeof salesOrder.$inferSelect, 'id' | 'state' | 'reservedUntil'>

/** Why no further order can have a seat and a use of a coupon, or null. */
export async function findMissingStock(
  tx: Tx,
  { offerId, seats, couponId, couponUses }: LimitedStock,
  now: Date,
): Promise<'offer_sold_out' | 'coupon_used_up' | null> {
  if (seats !== null && (await countTakenSeats(tx, offerId, now)) >= seats) return 'offer_sold_out'
  const isUsedUp = couponId && couponUses !== null && (await countCouponUses(tx, couponId, null, now)) >= couponUses
  return isUsedUp ? 'coupon_used_up' : null
}

function limitsOf({ offerId, seats, couponId, couponUses }: LimitedStock): { condition: SQL; limit: number }[] {
  return [
    ...(seats === null ? [] : [{ condition: eq(salesOrder.offerId, offerId), limit: seats }]),
    ...(couponId === null || couponUses === null
      ? []
      : [{ condition: eq(salesOrder.couponId, couponId), limit: couponUses }]),
  ]
}

async function countReservations(tx: Tx, condition: SQL | undefined): Promise<number> {
  const [row] = await tx.select({ reserved: count() }).from(salesOrder).where(condition)
  return row?.reserved ?? 0
}
