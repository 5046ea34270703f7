import { and, eq } from 'drizzle-orm'
import { inTenant } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { cancelSubscription } from '#lib/payment/subscription.ts'
import { applyOrderPayment, lockOrder } from '../order/apply-payment.ts'
import { recordOrderEntry } from '../order/entries.ts'
import type { OrderId } from '../order/order-schema.ts'
import { requireOrderManager, visibleOrders } from '../order/permission.ts'
import { isCancelable } from '../order/rules.ts'
import { salesOrder } from '../order/table.ts'
import { activeSubscriptions, endSubscription } from './state.ts'

interface OrderOfTenant {
  tenantId: string
  orderId: string
}

/**
 * Cancels a subscription by its buyer, who has the address of the order: nothing is charged any more, and the access
 * lasts until the end of the paid period. A second call does nothing. Refuses with not_found, unavailable when the
 * provider does not answer.
 */
export async function cancelByBuyer(tenantId: string, publicId: string): Promise<void> {
  const [order] = await inTenant({ tenantId }, (tx) =>
    tx.select().from(salesOrder).where(eq(salesOrder.publicId, publicId)),
  )
  if (!order) throw new Refusal('not_found')
  if (isCancelable(order)) await cancelAtPeriodEnd({ tenantId, orderId: order.id })
}

/** The same by staff. Refuses with forbidden, plan_inactive, not_found, unavailable. */
export async function cancelByStaff(actor: Actor, { orderId }: OrderId): Promise<void> {
  requireOrderManager(actor)
  const isCanceled = await inTenant(actor, async (tx) => {
    const [order] = await tx
      .select()
      .from(salesOrder)
      .where(and(eq(salesOrder.id, orderId), visibleOrders(tx, actor)))
    if (!order) throw new Refusal('not_found')
    return !isCancelable(order)
  })
  if (isCanceled) return
  await cancelAtPeriodEnd({ tenantId: actor.tenantId, orderId })
  const { tenantId, membershipId: by } = actor
  await inTenant(actor, (tx) =>
    recordOrderEntry(tx, { tenantId, id: orderId }, { kind: 'access', text: 'endAtPeriod', by }),
  )
}

async function cancelAtPeriodEnd({ tenantId, orderId }: OrderOfTenant): Promise<void> {
  const subscriptions = await inTenant({ tenantId }, (tx) => activeSubscriptions(tx, orderId))
  for (const { id } of subscriptions) await cancelSubscription(applyOrderPayment, { tenantId, paymentId: id })
  // Without a subscription at the provider, e.g. after its end there, the order is still ended.
  await inTenant({ tenantId }, async (tx) => {
    const order = await lockOrder(tx, orderId)
    if (order) await endSubscription(tx, order)
  })
}

/** Ends a subscription at a provider that keeps the schedule, because its order was paused. A job. */
export const endSubscriptionAtProvider = (subscription: { tenantId: string; paymentId: string }): Promise<void> =>
  cancelSubscription(applyOrderPayment, subscription)

/** Ends the subscriptions of a returned or canceled order, and those of cards that a later one has replaced. A job. */
export async function endUnneededSubscriptions({ tenantId, orderId }: OrderOfTenant): Promise<void> {
  const unneeded = await inTenant({ tenantId }, async (tx) => {
    const [[order], subscriptions] = await Promise.all([
      tx.select({ state: salesOrder.state }).from(salesOrder).where(eq(salesOrder.id, orderId)),
      activeSubscriptions(tx, orderId),
    ])
    return order?.state === 'refunded' || order?.state === 'canceled' ? subscriptions : subscriptions.slice(0, -1)
  })
  for (const { id } of unneeded) await cancelSubscription(applyOrderPayment, { tenantId, paymentId: id })
}
