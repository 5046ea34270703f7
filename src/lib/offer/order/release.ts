import { eq } from 'drizzle-orm'
import { recordAuditEntry } from '#lib/audit/audit.ts'
import { inTenant } from '#lib/core/db/db.ts'
import { formRefusal, Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { cancelPayment, listPayments, lockPayments } from '#lib/payment/payment.ts'
import { lockOrder } from './apply-payment.ts'
import { recordOrderEntry } from './entries.ts'
import type { OrderId } from './order-schema.ts'
import { requireOrderManager } from './permission.ts'
import { salesOrder } from './table.ts'

/**
 * Cancels an order that is not paid, so that others can have its seat and its use of a coupon; money that arrives later is
 * accepted. A second call does nothing. Refuses with forbidden, plan_inactive, not_found, conflict for a paid order, and
 * unprocessable (order_payment_pending) while a bank decides about its payment.
 */
export function releaseOrder(actor: Actor, { orderId }: OrderId): Promise<void> {
  requireOrderManager(actor)
  return inTenant(actor, async (tx) => {
    // Payments are locked before their order.
    await lockPayments(tx, 'order', [orderId])
    const order = await lockOrder(tx, orderId)
    if (!order) throw new Refusal('not_found')
    if (order.state === 'canceled' && order.paidAt === null) return
    if (order.state !== 'awaiting_payment') throw new Refusal('conflict')
    const payments = await listPayments(tx, 'order', [orderId])
    if (payments.some(({ status }) => status === 'pending')) throw formRefusal('order_payment_pending')
    for (const { id } of payments) await cancelPayment(tx, id)
    await tx
      .update(salesOrder)
      .set({ state: 'canceled', reservedUntil: null, networkKey: null })
      .where(eq(salesOrder.id, orderId))
    await recordOrderEntry(tx, order, { kind: 'state', text: 'canceled', by: actor.membershipId })
    await recordAuditEntry(tx, actor, {
      action: 'order.released',
      objectId: orderId,
      objectName: `№ ${order.number}`,
    })
  })
}
