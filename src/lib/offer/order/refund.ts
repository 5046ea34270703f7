import { recordAuditEntry } from '#lib/audit/audit.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { parseStored } from '#lib/core/shared/parse-stored.ts'
import { endOrderAccess } from '#lib/course/access/order-grants.ts'
import { listPayments, type Payment } from '#lib/payment/payment.ts'
import { refundPayment } from '#lib/payment/refund.ts'
import { moneyInput } from '../money-rules.ts'
import { applyOrderPayment, lockOrder } from './apply-payment.ts'
import { recordOrderEntry } from './entries.ts'
import { cancelEvents } from './event-access.ts'
import type { RefundAccess, RefundOrder } from './order-schema.ts'
import type { OrderRow } from './pay-order.ts'
import { requireOrderManager } from './permission.ts'
import { OfferSnapshot } from './schema.ts'

/** The outcome of a refund: some providers decide later, and may refuse. */
export interface RefundOutcome {
  status: 'success' | 'pending' | 'error'
  /** Why the provider has refused. */
  failure: string | null
}

/**
 * Returns money of an order, the latest payments first, and ends its access as chosen once the provider has accepted. Other
 * orders of the student keep theirs. Refuses with forbidden, plan_inactive, not_found, unprocessable (refund_amount) when
 * less is left.
 */
export async function refundOrder(actor: Actor, input: RefundOrder): Promise<RefundOutcome> {
  requireOrderManager(actor)
  const { orderId, amount, reason } = input
  const parts = await inTenant(actor, async (tx) => {
    const order = await lockOrder(tx, orderId)
    if (!order) throw new Refusal('not_found')
    return splitRefund(await listPayments(tx, 'order', [orderId]), amount)
  })
  const { tenantId, membershipId: by } = actor
  for (const part of parts) {
    const refund = await refundPayment(applyOrderPayment, { tenantId, ...part, note: reason, by })
    if (refund.status === 'error') return { status: 'error', failure: refund.failure }
    if (refund.status !== 'success') {
      await changeAccess(actor, input)
      return { status: 'pending', failure: null }
    }
  }
  await changeAccess(actor, input)
  return { status: 'success', failure: null }
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

function changeAccess(actor: Actor, input: RefundOrder): Promise<void> {
  return inTenant(actor, async (tx) => {
    const order = await lockOrder(tx, input.orderId)
    if (!order) return
    await endAccess(tx, actor, order, input.access)
    const values = {
      amount: `${moneyInput(input.amount)} ${order.currency}`,
      note: input.reason,
      revoked: input.access === 'endNow',
    }
    await recordOrderEntry(tx, order, { kind: 'access', text: input.access, by: actor.membershipId })
    await recordAuditEntry(tx, actor, {
      action: 'order.refunded',
      objectId: order.id,
      objectName: `№ ${order.number}`,
      after: values,
    })
  })
}

async function endAccess(tx: Tx, actor: Actor, order: OrderRow, access: RefundAccess): Promise<void> {
  if (access === 'keep' || (access === 'endAtPeriod' && order.nextDueAt === null)) return
  const isNow = access === 'endNow'
  await endOrderAccess(tx, actor, { orderId: order.id, at: isNow ? null : order.nextDueAt, reason: 'refunded' })
  const { settings } = parseStored(OfferSnapshot, order.snapshot)
  if (isNow) await cancelEvents(tx, order, settings.workshopIds)
}
