import { and, desc, eq, inArray, isNotNull, ne, or } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import type { Currency } from '#lib/payment/schema.ts'
import { toOfferSettings } from './offer-settings.ts'
import { recordOrderEntry } from './order/entries.ts'
import { PAID_STATES } from './order/rules.ts'
import { isReservation } from './order/seats.ts'
import type { OrderState } from './order/state-schema.ts'
import { salesOrder } from './order/table.ts'
import { calculateTotal, type Total } from './price-rules.ts'
import { salesObstacle } from './rules.ts'
import type { OfferSettings } from './schema.ts'
import { offer } from './table.ts'

type OrderRow = typeof salesOrder.$inferSelect

/** States of an order that is paid in full and can be upgraded. */
const UPGRADABLE_STATES: readonly OrderState[] = ['paid', 'partially_refunded', 'completed']

/** A paid order that another one upgrades, with what was paid for it. */
export interface UpgradedOrder {
  id: string
  publicId: string
  studentId: string
  /** Minor units of the currency of the upgrade. */
  credit: number
  /** No money was received for it. */
  isTest: boolean
}

interface Upgrade {
  id: string
  upgradesOfferId: string | null
  currency: Currency
}

/**
 * The order that an offer upgrades, named by the id in the address of its page, or the latest one of a student; null where
 * there is none, it is not paid in full, or another order upgrades it already. A transaction that places the upgrade locks
 * the order, so that its money is credited once. Test payments are credited only to those who may make them (`mayTest`).
 */
export async function findUpgradedOrder(
  tx: Tx,
  { id: offerId, upgradesOfferId, currency }: Upgrade,
  buyer: { publicId?: string | undefined; studentId?: string | null },
  { now, isLocked, mayTest }: { now: Date; isLocked: boolean; mayTest: boolean },
): Promise<UpgradedOrder | null> {
  const isNamed = buyer.publicId
    ? eq(salesOrder.publicId, buyer.publicId)
    : buyer.studentId
      ? eq(salesOrder.studentId, buyer.studentId)
      : null
  if (!upgradesOfferId || !isNamed) return null
  const query = tx
    .select()
    .from(salesOrder)
    .where(
      and(
        isNamed,
        eq(salesOrder.offerId, upgradesOfferId),
        eq(salesOrder.currency, currency),
        inArray(salesOrder.state, [...UPGRADABLE_STATES]),
        isNotNull(salesOrder.studentId),
        mayTest ? undefined : eq(salesOrder.isTest, false),
      ),
    )
    .orderBy(desc(salesOrder.paidAt), desc(salesOrder.id))
    .limit(1)
  const [order] = await (isLocked ? query.for('update') : query)
  if (!order?.studentId || (await isUpgraded(tx, order.id, { offerId, now }))) return null
  const credit = await creditOf(tx, order)
  const { id, publicId, studentId, isTest } = order
  return credit > 0 ? { id, publicId, studentId, credit, isTest } : null
}

/** Offers on sale that upgrade a paid order, with the difference to pay. */
export async function listUpgrades(
  tx: Tx,
  order: OrderRow,
  { now, mayTest }: { now: Date; mayTest: boolean },
): Promise<{ id: string; settings: OfferSettings; total: Total }[]> {
  if (!UPGRADABLE_STATES.includes(order.state)) return []
  const rows = await tx
    .select()
    .from(offer)
    .where(eq(offer.upgradesOfferId, order.offerId))
    .orderBy(offer.price, offer.id)
  const upgrades: { id: string; settings: OfferSettings; total: Total }[] = []
  for (const row of rows) {
    if (salesObstacle(row, 0, now) !== null) continue
    const upgraded = await findUpgradedOrder(tx, row, { publicId: order.publicId }, { now, isLocked: false, mayTest })
    const settings = toOfferSettings(row)
    if (upgraded)
      upgrades.push({ id: row.id, settings, total: calculateTotal(settings, { now, credit: upgraded.credit }) })
  }
  return upgrades
}

/**
 * Notes a paid upgrade in the timeline of the order that it upgrades, whose access stays. An upgrade whose credit was
 * returned or used by another one in the meantime is noted as a problem.
 */
export async function noteUpgrade(tx: Tx, { tenantId, id, upgradesId }: OrderRow): Promise<void> {
  if (!upgradesId) return
  const [[upgraded], others] = await Promise.all([
    tx.select({ state: salesOrder.state }).from(salesOrder).where(eq(salesOrder.id, upgradesId)),
    tx
      .select({ id: salesOrder.id })
      .from(salesOrder)
      .where(
        and(eq(salesOrder.upgradesId, upgradesId), ne(salesOrder.id, id), inArray(salesOrder.state, [...PAID_STATES])),
      )
      .limit(1),
  ])
  const isCredited = upgraded && UPGRADABLE_STATES.includes(upgraded.state) && others.length === 0
  if (!isCredited) await recordOrderEntry(tx, { tenantId, id }, { kind: 'problem', text: 'creditGone' })
  await recordOrderEntry(tx, { tenantId, id: upgradesId }, { kind: 'access', text: 'upgraded' })
}

/** Whether an order is upgraded by a paid one, or by one to another offer that is being paid. */
async function isUpgraded(tx: Tx, orderId: string, { offerId, now }: { offerId: string; now: Date }): Promise<boolean> {
  const isBeingPaid = and(isReservation(now), ne(salesOrder.offerId, offerId))
  const [row] = await tx
    .select({ id: salesOrder.id })
    .from(salesOrder)
    .where(and(eq(salesOrder.upgradesId, orderId), or(inArray(salesOrder.state, [...PAID_STATES]), isBeingPaid)))
    .limit(1)
  return row !== undefined
}

/** What was paid for an order and for those that it upgrades, without what was returned. */
async function creditOf(tx: Tx, order: OrderRow): Promise<number> {
  let credit = 0
  let next: OrderRow | undefined = order
  while (next) {
    credit += Math.max(0, next.paidAmount - next.refundedAmount)
    const { upgradesId }: OrderRow = next
    next = upgradesId ? (await tx.select().from(salesOrder).where(eq(salesOrder.id, upgradesId)))[0] : undefined
  }
  return credit
}
