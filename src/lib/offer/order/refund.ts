import { eq } from 'drizzle-orm'
import { recordAuditEntry } from '#lib/audit/audit.ts'
import { inTenant } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { listPayments, type Payment } from '#lib/payment/payment.ts'
import { refundPayment } from '#lib/payment/refund.ts'
import { moneyInput } from '../money-rules.ts'
import { applyOrderPayment, lockOrder } from './apply-payment.ts'
import type { RefundOrder } from './order-schema.ts'
import { requireOrderManager } from './permission.ts'
import { defaultRefundAccess } from './refund-rules.ts'
import { salesOrder } from './table.ts'

/** The outcome of a refund: some providers decide later, and may refuse. */
export interface RefundOutcome {
  status: 'success' | 'pending' | 'error'
  /** Why the provider has refused. */
  failure: string | null
  /** What was returned so far, and requested, in minor units. Of several payments some may be returned and others refused. */
  returnedAmount: number
  requestedAmount: number
}

/**
 * Returns money of an order, the latest payments first. The access ends as chosen when the provider has confirmed all parts
 * of the refund, and stays when one of them is refused; a partial amount keeps it unless its end was chosen; other orders of the student keep theirs. The same `refundId` again
 * returns the outcome of the first call. Refuses with forbidden, plan_inactive, not_found, unprocessable (refund_amount)
 * when less is left.
 */
export async function refundOrder(actor: Actor, input: RefundOrder): Promise<RefundOutcome> {
  requireOrderManager(actor)
  const { orderId, amount, reason, refundId: onceKey = newId() } = input
  const prepared = await inTenant(actor, async (tx) => {
    const order = await lockOrder(tx, orderId)
    if (!order) throw new Refusal('not_found')
    const payments = await listPayments(tx, 'order', [orderId])
    const known = payments.filter((payment) => payment.onceKey === onceKey)
    if (known.length > 0) {
      return { known, parts: [], requestedAmount: order.refundChoices[onceKey]?.amount ?? amount }
    }
    const parts = splitRefund(payments, amount)
    const access = input.access ?? defaultRefundAccess(amount, refundableOf(payments))
    await tx
      .update(salesOrder)
      .set({ refundAccess: access, refundChoices: { ...order.refundChoices, [onceKey]: { amount, access } } })
      .where(eq(salesOrder.id, orderId))
    await recordAuditEntry(tx, actor, {
      action: 'order.refunded',
      objectId: orderId,
      objectName: `№ ${order.number}`,
      after: {
        amount: `${moneyInput(amount)} ${order.currency}`,
        note: reason,
        revoked: access === 'endNow',
      },
    })
    return { known, parts, requestedAmount: amount }
  })
  const { tenantId, membershipId: by } = actor
  const refunds = [...prepared.known]
  for (const part of prepared.parts) {
    const refund = await refundPayment(applyOrderPayment, { tenantId, ...part, note: reason, by, onceKey })
    refunds.push(refund)
    if (refund.status === 'error') break
  }
  return refundOutcome(refunds, prepared.requestedAmount)
}

/** The present outcome of a refund by its id; null for an unknown one. Refuses with forbidden, not_found. */
export async function readRefundOutcome(
  actor: Actor,
  { orderId, refundId }: { orderId: string; refundId: string },
): Promise<RefundOutcome | null> {
  requireOrderManager(actor)
  return inTenant(actor, async (tx) => {
    const [order] = await tx
      .select({ choices: salesOrder.refundChoices })
      .from(salesOrder)
      .where(eq(salesOrder.id, orderId))
    if (!order) throw new Refusal('not_found')
    const refunds = (await listPayments(tx, 'order', [orderId])).filter(({ onceKey }) => onceKey === refundId)
    const requested = order.choices[refundId]?.amount
    return requested === undefined || refunds.length === 0 ? null : refundOutcome(refunds, requested)
  })
}

function refundOutcome(refunds: readonly Payment[], requestedAmount: number): RefundOutcome {
  const returnedAmount = refunds
    .filter(({ status }) => status === 'success')
    .reduce((sum, { amount }) => sum + amount, 0)
  const amounts = { returnedAmount, requestedAmount }
  const refused = refunds.find(({ status }) => status === 'error')
  if (refused) return { status: 'error', failure: refused.failure, ...amounts }
  const isDone = refunds.every(({ status }) => status === 'success')
  return { status: isDone ? 'success' : 'pending', failure: null, ...amounts }
}

/** How much of each payment to return, the latest first. Refuses with unprocessable (refund_amount). */
function splitRefund(payments: readonly Payment[], amount: number): { paymentId: string; amount: number }[] {
  const parts: { paymentId: string; amount: number }[] = []
  let left = amount
  for (const { id: paymentId, amount: available } of refundableParts(payments)) {
    if (left === 0) break
    const part = Math.min(left, available)
    parts.push({ paymentId, amount: part })
    left -= part
  }
  if (left > 0) {
    throw new Refusal('unprocessable', { fields: { amount: ['refund_amount'] }, data: { left: amount - left } })
  }
  return parts
}

/** What can still be returned of the payments of an order, in minor units; refunds that are not decided are not left. */
export const refundableOf = (payments: readonly Payment[]): number =>
  refundableParts(payments).reduce((sum, { amount }) => sum + amount, 0)

/** The payments of which something is left, the latest first. */
function refundableParts(payments: readonly Payment[]): { id: string; amount: number }[] {
  return payments.toReversed().flatMap((payment) => {
    if (payment.kind === 'refund' || payment.status !== 'success') return []
    const returned = payments
      .filter(({ kind, parentId, status }) => kind === 'refund' && parentId === payment.id && status !== 'error')
      .reduce((sum, refund) => sum + refund.amount, 0)
    const amount = payment.amount - returned
    return amount > 0 ? [{ id: payment.id, amount }] : []
  })
}
