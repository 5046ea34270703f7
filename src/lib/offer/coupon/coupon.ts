import { and, desc, eq, gt, inArray, ne, sql } from 'drizzle-orm'
import { recordAuditEntry } from '#lib/audit/audit.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { moneyInput } from '../money-rules.ts'
import { isReservation } from '../order/seats.ts'
import { requireOfferEditor, requireOfferReader } from '../permission.ts'
import { offer } from '../table.ts'
import type { CouponRow } from './find-coupon.ts'
import type { SaveCoupon } from './schema.ts'
import { coupon } from './table.ts'

/** A coupon in the list, with its uses: orders that are paid, or reserved at this moment. */
export interface CouponListItem extends Omit<CouponRow, 'tenantId' | 'createdBy'> {
  usedCount: number
  /** Names of the offers that are cheaper than a fixed discount: they become free. */
  cheaperOffers: string[]
}

const MAX_COUPONS = 500

/** The coupons of the tenant, newest first. Refuses with forbidden. */
export function listCoupons(actor: Actor): Promise<CouponListItem[]> {
  requireOfferReader(actor)
  return inTenant(actor, async (tx) => {
    const [rows, offers, uses] = await Promise.all([
      tx.select().from(coupon).orderBy(desc(coupon.createdAt), desc(coupon.id)).limit(MAX_COUPONS),
      loadPrices(tx),
      tx.execute<{ couponId: string; used: number }>(sql`
        select coupon_id as "couponId", count(*)::int as used from sales_order
        where tenant_id = current_tenant() and coupon_id is not null
          and (state not in ('new', 'awaiting_payment', 'expired', 'canceled') or ${isReservation(new Date())})
        group by coupon_id`),
    ])
    const counts = new Map(uses.rows.map(({ couponId, used }) => [couponId, used]))
    return rows.map(({ tenantId: _, createdBy: __, ...row }) => ({
      ...row,
      usedCount: counts.get(row.id) ?? 0,
      cheaperOffers: cheaperThan(row, offers),
    }))
  })
}

/**
 * Creates a coupon, or changes the one with this id; orders that used it keep their discount. Refuses with forbidden,
 * plan_inactive, not_found for an offer that is not there, unprocessable (coupon_code_taken).
 */
export function saveCoupon(actor: Actor, input: SaveCoupon): Promise<{ couponId: string; cheaperOffers: string[] }> {
  requireOfferEditor(actor)
  const { couponId, ...values } = input
  return inTenant(actor, async (tx) => {
    const [existing] = await tx
      .select({ id: coupon.id })
      .from(coupon)
      .where(and(eq(coupon.code, values.code), ne(coupon.id, couponId)))
    if (existing) throw new Refusal('unprocessable', { fields: { code: ['coupon_code_taken'] } })
    await requireOffers(tx, values.offerIds ?? [])
    const { tenantId, membershipId: createdBy } = actor
    const [saved] = await tx
      .insert(coupon)
      .values({ ...values, tenantId, id: couponId, createdBy })
      .onConflictDoUpdate({ target: [coupon.tenantId, coupon.id], set: values })
      .returning({ isNew: sql<boolean>`xmax = 0` })
    const { code, type, value, currency, maxTotal } = values
    await recordAuditEntry(tx, actor, {
      action: saved?.isNew ? 'coupon.created' : 'coupon.changed',
      objectId: couponId,
      objectName: code,
      after: { discount: type === 'percent' ? `${value} %` : `${moneyInput(value)} ${currency}`, maxUses: maxTotal },
    })
    return { couponId, cheaperOffers: cheaperThan(values, await loadPrices(tx)) }
  })
}

/**
 * Refuses with unprocessable (coupon_above_price) a fixed discount that is higher than the price of an offer to which it
 * applies, and with forbidden. `fields.acceptsFree`: the form can be confirmed.
 */
export async function requireBelowPrices(actor: Actor, input: SaveCoupon): Promise<void> {
  requireOfferEditor(actor)
  const names = cheaperThan(input, await inTenant(actor, loadPrices))
  if (names.length === 0) return
  const offers = names.slice(0, MAX_NAMED).join(', ') + (names.length > MAX_NAMED ? ' …' : '')
  const fields = { value: ['coupon_above_price'], acceptsFree: ['coupon_above_price'] }
  throw new Refusal('unprocessable', { fields, variables: { offers } })
}

const MAX_NAMED = 5

type OfferPrice = Pick<typeof offer.$inferSelect, 'id' | 'name' | 'price' | 'currency'>

const loadPrices = (tx: Tx): Promise<OfferPrice[]> =>
  tx
    .select({ id: offer.id, name: offer.name, price: offer.price, currency: offer.currency })
    .from(offer)
    .where(and(ne(offer.kind, 'free'), gt(offer.price, 0), ne(offer.state, 'archived')))
    .orderBy(offer.name)

/** Names of the offers to which a fixed discount applies and that cost less. */
function cheaperThan(
  { type, value, currency, offerIds }: Pick<CouponRow, 'type' | 'value' | 'currency' | 'offerIds'>,
  offers: readonly OfferPrice[],
): string[] {
  if (type !== 'fixed') return []
  return offers
    .filter((sold) => sold.currency === currency && sold.price < value && (offerIds?.includes(sold.id) ?? true))
    .map(({ name }) => name)
}

async function requireOffers(tx: Tx, offerIds: readonly string[]): Promise<void> {
  const ids = new Set(offerIds)
  if (ids.size > 0 && (await tx.$count(offer, inArray(offer.id, [...ids]))) < ids.size) throw new Refusal('not_found')
}

/** Stops accepting a coupon, or accepts it again. A second call does nothing. Refuses with forbidden, plan_inactive, not_found. */
export function setCouponDisabled(
  actor: Actor,
  { couponId, isDisabled }: { couponId: string; isDisabled: boolean },
): Promise<void> {
  requireOfferEditor(actor)
  return inTenant(actor, async (tx) => {
    const [row] = await tx.select().from(coupon).where(eq(coupon.id, couponId)).for('update')
    if (!row) throw new Refusal('not_found')
    if ((row.disabledAt !== null) === isDisabled) return
    await tx
      .update(coupon)
      .set({ disabledAt: isDisabled ? sql`now()` : null })
      .where(eq(coupon.id, couponId))
    await recordAuditEntry(tx, actor, {
      action: 'coupon.changed',
      objectId: couponId,
      objectName: row.code,
      after: { enabled: !isDisabled },
    })
  })
}
