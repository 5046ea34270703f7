import { eq } from 'drizzle-orm'
import { recordAuditEntry } from '#lib/audit/audit.ts'
import { inTenant } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { listPayments, type Payment } from '#lib/payment/payment.ts'
import { refundPayment } from '#lib/payment/refund.ts'
import { moneyInput } from '../money-rules.ts'
import { applyOrderPayment, lockOrder } from './apply-payment.ts'
import type { RefundOrder } from './order-schema.ts'
import { requireOrderManager } from './permission.ts'
import { salesOrder } from './table.ts'

/** The outcome of a refund: some providers decide later, and may refuse. */
export interface RefundOutcome {
  status: 'success' | 'pending' | 'error'
  /** Why the provider has refused. */
  failure: string | null
}

/**
 * Returns money of an order, the latest payments first. The access ends as chosen when the provider confirms the refund;
 * other orders of the student keep theirs. Refuses with forbidden, plan_inactive, not_found, unprocessable (refund_amount)
 * when less is left.
 */
export async function refundOrder(actor: Actor, input: RefundOrder): Promise<RefundOutcome> {
  requireOrderManager(actor)
  const { orderId, amount, reason } = input
  const parts = await inTenant(actor, async (tx) => {
    const order = await lockOrder(tx, orderId)
    if (!order) throw new Refusal('not_found')
    const split = splitRefund(await listPayments(tx, 'order', [orderId]), amount)
    await tx.update(salesOrder).set({ refundAccess: input.access }).where(eq(salesOrder.id, orderId))
    await recordAuditEntry(tx, actor, {
      action: 'order.refunded',
      objectId: orderId,
      objectName: `№ ${order.number}`,
      after: {
        amount: `${moneyInput(amount)} ${order.currency}`,
        note: reason,
        revoked: input.access === 'endNow',
      },
    })
    return split
  })
  const { tenantId, membershipId: by } = actor
  let status: RefundOutcome['status'] = 'success'
  for (const part of parts) {
    const refund = await refundPayment(applyOrderPayment, { tenantId, ...part, note: reason, by })
    if (refund.status === 'error') return { status: 'error', failure: refund.failure }
    if (refund.status !== 'success') status = 'pending'
  }
  return { status, failure: null }
}

/** How much of each payment to return, the latest first. Refuses with unprocessable (refund_amount). */
function splitRefund(payments: readonly Payment[], amount: number): { paymentId: string; amount: number }[] {
  const parts: { paymentId: string; amount: number }[] = []
  let left = amount
  for (const payment of payments.toReversed()) {
    if (payment.kind === 'refund' || payment.status !== 'success' || left === 0) continue
    const returned = payments
      .filter(({ kind, parentId, status }) => kind === 'refund' && parentId === payment.id && status !== 'error')
      .reduce((sum, refund) => sum + refund.amount, 0)
    const part = Math.min(left, payment.amount - returned)
    if (part <= 0) continue
    parts.push({ paymentId: payment.id, amount: part })
    left -= part
  }
  if (left > 0) {
    throw new Refusal('unprocessable', { fields: { amount: ['refund_amount'] }, data: { left: amount - left } })
  }
  return parts
}
