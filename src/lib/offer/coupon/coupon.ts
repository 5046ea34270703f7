import { and, desc, eq, inArray, ne, sql } from 'drizzle-orm'
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
}

const MAX_COUPONS = 500

/** The coupons of the tenant, newest first. Refuses with forbidden. */
export function listCoupons(actor: Actor): Promise<CouponListItem[]> {
  requireOfferReader(actor)
  return inTenant(actor, async (tx) => {
    const [rows, uses] = await Promise.all([
      tx.select().from(coupon).orderBy(desc(coupon.createdAt), desc(coupon.id)).limit(MAX_COUPONS),
      tx.execute<{ couponId: string; used: number }>(sql`
        select coupon_id as "couponId", count(*)::int as used from sales_order
        where tenant_id = current_tenant() and coupon_id is not null
          and (state not in ('new', 'awaiting_payment', 'expired', 'canceled') or ${isReservation(new Date())})
        group by coupon_id`),
    ])
    const counts = new Map(uses.rows.map(({ couponId, used }) => [couponId, used]))
    return rows.map(({ tenantId: _, createdBy: __, ...row }) => ({ ...row, usedCount: counts.get(row.id) ?? 0 }))
  })
}

/**
 * Creates a coupon, or changes the one with this id; orders that used it keep their discount. Refuses with forbidden,
 * plan_inactive, not_found for an offer that is not there, unprocessable (coupon_code_taken).
 */
export function saveCoupon(actor: Actor, input: SaveCoupon): Promise<{ couponId: string }> {
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
    return { couponId }
  })
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
