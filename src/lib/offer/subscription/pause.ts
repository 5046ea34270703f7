import { and, eq } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { formRefusal, Refusal } from '#lib/core/http/refusal.ts'
import { enqueueJob } from '#lib/core/jobs/jobs.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { parseStored } from '#lib/core/shared/parse-stored.ts'
import { endOrderAccess } from '#lib/course/access/order/order-grants.ts'
import { accessEndOf } from '../order/access/access-end.ts'
import { grantAccessOf } from '../order/access/grant-access.ts'
import { lockOrder } from '../order/apply-payment.ts'
import { remindBuyer } from '../order/emails.ts'
import { recordOrderEntry } from '../order/entries.ts'
import type { OrderId } from '../order/order-schema.ts'
import type { OrderRow } from '../order/pay-order.ts'
import { requireOrderManager, visibleOrders } from '../order/permission.ts'
import { isPausable } from '../order/rules.ts'
import { OfferSnapshot } from '../order/schema.ts'
import { salesOrder } from '../order/table.ts'
import { renewOrder } from './renew.ts'
import { beginPeriodAt } from './schedule.ts'
import { activeSubscriptions, resumeModeOf } from './state.ts'

/**
 * Pauses a subscription by its buyer, who has the address of the order: nothing is charged until it is resumed, and the
 * access lasts until the end of the paid period. A second call does nothing. Refuses with not_found, unprocessable
 * (order_not_pausable) e.g. while a charge is due.
 */
export async function pauseByBuyer(tenantId: string, publicId: string, now = new Date()): Promise<void> {
  await inTenant({ tenantId }, async (tx) => pause(tx, await findOrderOfBuyer(tx, publicId), { by: null, now }))
}

/** The same by staff. Refuses with forbidden, plan_inactive, not_found, unprocessable (order_not_pausable). */
export async function pauseByStaff(actor: Actor, { orderId }: OrderId, now = new Date()): Promise<void> {
  requireOrderManager(actor)
  await inTenant(actor, async (tx) =>
    pause(tx, await findOrderOfStaff(tx, actor, orderId), { by: actor.membershipId, now }),
  )
}

/**
 * Resumes a paused subscription by its buyer. While the paid period lasts, the schedule continues; after it the saved card
 * is charged at once and a new period begins. A second call does nothing. Refuses with not_found, unprocessable
 * (order_resume_later) when no card is saved: the buyer pays again after the paid period.
 */
export async function resumeByBuyer(tenantId: string, publicId: string, now = new Date()): Promise<void> {
  const due = await inTenant({ tenantId }, async (tx) => {
    const orderId = await findOrderOfBuyer(tx, publicId)
    const isDue = (await resume(tx, orderId, { by: null, now })) === 'charge'
    return isDue ? { tenantId, orderId } : null
  })
  if (due) await renewOrder(due, now)
}

/**
 * The same by staff while the paid period lasts: they do not charge a card at once. Refuses with forbidden, plan_inactive,
 * not_found, unprocessable (order_resume_later, order_resume_buyer).
 */
export async function resumeByStaff(actor: Actor, { orderId }: OrderId, now = new Date()): Promise<void> {
  requireOrderManager(actor)
  await inTenant(actor, async (tx) => {
    await resume(tx, await findOrderOfStaff(tx, actor, orderId), { by: actor.membershipId, now })
  })
}

async function pause(tx: Tx, orderId: string, { by, now }: { by: string | null; now: Date }): Promise<void> {
  const order = await lockOrder(tx, orderId)
  if (!order || order.state === 'paused') return
  if (!isPausable(order, now) || !order.nextDueAt) throw formRefusal('order_not_pausable')
  await changeState(tx, order, { state: 'paused' }, by)
  const { tenantId } = order
  await endOrderAccess(
    tx,
    { tenantId, membershipId: by, address: undefined },
    { orderId, at: order.nextDueAt, reason: 'paused' },
  )
  for (const { id, cardToken } of await activeSubscriptions(tx, orderId)) {
    // Where the product charges the card, it stays saved.
    if (cardToken === null) await enqueueJob('offer.endSubscriptionAtProvider', { tenantId, paymentId: id })
  }
  await remindBuyer(order, parseStored(OfferSnapshot, order.snapshot), 'paused')
}

/** Returns how the order was resumed; null: it is not paused. */
async function resume(
  tx: Tx,
  orderId: string,
  { by, now }: { by: string | null; now: Date },
): Promise<'continue' | 'charge' | null> {
  const order = await lockOrder(tx, orderId)
  const mode = order && resumeModeOf(order, await activeSubscriptions(tx, orderId), now)
  if (!mode) return null
  if (mode === 'later' || mode === 'pay') throw formRefusal('order_resume_later')
  if (mode === 'charge') {
    if (by !== null) throw formRefusal('order_resume_buyer')
    // The access begins again with the payment.
    const schedule = beginPeriodAt(order.schedule, now)
    await changeState(tx, order, { state: 'active', schedule, nextDueAt: now }, by)
    return mode
  }
  await changeState(tx, order, { state: 'active' }, by)
  const { settings, ...snapshot } = parseStored(OfferSnapshot, order.snapshot)
  const { nextDueAt, paidAt } = order
  const endsAt = accessEndOf(settings, { paidAt: paidAt ?? now, nextDueAt, hasGrace: true })
  await grantAccessOf(tx, order, { ...snapshot, settings }, endsAt)
  return mode
}

async function changeState(
  tx: Tx,
  order: OrderRow,
  change: Pick<OrderRow, 'state'> & Partial<Pick<OrderRow, 'schedule' | 'nextDueAt'>>,
  by: string | null,
): Promise<void> {
  await tx.update(salesOrder).set(change).where(eq(salesOrder.id, order.id))
  await recordOrderEntry(tx, order, { kind: 'state', text: change.state, by })
}

async function findOrderOfBuyer(tx: Tx, publicId: string): Promise<string> {
  const [order] = await tx.select({ id: salesOrder.id }).from(salesOrder).where(eq(salesOrder.publicId, publicId))
  if (!order) throw new Refusal('not_found')
  return order.id
}

async function findOrderOfStaff(tx: Tx, actor: Actor, orderId: string): Promise<string> {
  const [order] = await tx
    .select({ id: salesOrder.id })
    .from(salesOrder)
    .where(and(eq(salesOrder.id, orderId), visibleOrders(tx, actor)))
  if (!order) throw new Refusal('not_found')
  return order.id
}
