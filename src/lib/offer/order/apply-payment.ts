import { eq } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { parseStored } from '#lib/core/shared/parse-stored.ts'
import { type ApplyPayment, listPayments, type Payment } from '#lib/payment/payment.ts'
import {
  endSubscription,
  isChargeOfEndedSubscription,
  noteFailedCharge,
  planUnneededEnd,
} from '../subscription/state.ts'
import { endAccessAfterRefund } from './access/end-access.ts'
import { emailRefund } from './emails.ts'
import { recordOrderEntry } from './entries.ts'
import { type OrderRow, payOrder } from './pay-order.ts'
import { endsAccess } from './refund-rules.ts'
import { nextOrderState } from './rules.ts'
import { OfferSnapshot } from './schema.ts'
import type { RefundAccess } from './state-schema.ts'
import { salesOrder } from './table.ts'

/**
 * Applies a changed payment to its order, in the transaction of the payment, which is locked before the order. Payments
 * that wait, fail or are canceled, other than those of a subscription, leave the order as it is: its page offers to pay again.
 */
export const applyOrderPayment: ApplyPayment = async (tx, { payment, previousStatus }) => {
  const { status, kind, parentId } = payment
  const isSubscription = kind === 'recurrent' && parentId === null
  const isEnded = isSubscription && status === 'canceled' && previousStatus === 'subscribed'
  const isBegun = isSubscription && status === 'subscribed'
  const isFailedCharge = kind === 'recurrent' && parentId !== null && status === 'error'
  if (status !== 'success' && !isEnded && !isBegun && !isFailedCharge) return
  const order = await lockOrder(tx, payment.purposeId)
  if (!order) return
  // A pause ends the subscription at a provider that keeps the schedule.
  if (isEnded) await (order.state === 'paused' ? undefined : endSubscription(tx, order))
  // Paid again with another card, or after the money was returned.
  else if (isBegun) await (order.paidAmount > 0 ? planUnneededEnd(order) : undefined)
  else if (isFailedCharge) await noteFailedCharge(tx, order, payment)
  else if (payment.kind === 'refund') await refundOrder(tx, order, payment)
  else {
    const isEndedByProvider = await isChargeOfEndedSubscription(tx, payment)
    const { amount, isTest } = payment
    await payOrder(tx, order, { amount, at: payment.paidAt ?? new Date(), isTest, isEndedByProvider })
  }
}

/** The row of an order, locked until the end of the transaction, or null. */
export async function lockOrder(tx: Tx, orderId: string): Promise<OrderRow | null> {
  const [row] = await tx.select().from(salesOrder).where(eq(salesOrder.id, orderId)).for('update')
  return row ?? null
}

// A refund that the bank has made by itself ends the access when nothing of the payment is left. Where the access ends, no
// further payment of the order is charged or expected.
async function refundOrder(tx: Tx, order: OrderRow, payment: Payment): Promise<void> {
  const { amount, by } = payment
  const refundedAmount = order.refundedAmount + amount
  const isAll = refundedAmount >= order.paidAmount
  const returned = nextOrderState(order.state, isAll ? 'refundAll' : 'refundPart') ?? order.state
  const access = by ? await chosenAccess(tx, order, payment) : returned === 'refunded' ? 'endNow' : null
  const isEnded = endsAccess(access, order.nextDueAt)
  const state = (isEnded ? nextOrderState(returned, 'cancel') : null) ?? returned
  const nextDueAt = access === 'endNow' ? null : order.nextDueAt
  const accessEndedAt = access === 'endNow' ? new Date() : order.accessEndedAt
  const changed = { refundedAmount, state, nextDueAt, accessEndedAt }
  await tx.update(salesOrder).set(changed).where(eq(salesOrder.id, order.id))
  if (state !== order.state) await recordOrderEntry(tx, order, { kind: 'state', text: state })
  if (state === 'refunded' || state === 'canceled') await planUnneededEnd(order)
  const actor = { tenantId: order.tenantId, membershipId: by, address: undefined }
  if (access) await endAccessAfterRefund(tx, actor, order, access)
  await emailRefund(tx, { ...order, ...changed }, parseStored(OfferSnapshot, order.snapshot), amount)
}

/** What was chosen for a refund of staff; null while a part of its amount is not returned. */
async function chosenAccess(tx: Tx, order: OrderRow, { id, onceKey, amount }: Payment): Promise<RefundAccess | null> {
  const choice = onceKey === null ? undefined : order.refundChoices[onceKey]
  // A refund of an earlier version.
  if (!choice) return order.refundAccess
  const refunds = (await listPayments(tx, 'order', [order.id])).filter(
    (row) => row.id !== id && row.kind === 'refund' && row.onceKey === onceKey && row.status === 'success',
  )
  const returned = refunds.reduce((sum, refund) => sum + refund.amount, amount)
  return returned >= choice.amount ? choice.access : null
}
