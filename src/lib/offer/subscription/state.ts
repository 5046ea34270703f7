import { eq } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { enqueueJob } from '#lib/core/jobs/jobs.ts'
import { parseStored } from '#lib/core/shared/parse-stored.ts'
import { endOrderAccess } from '#lib/course/access/order/order-grants.ts'
import { listPayments, type Payment } from '#lib/payment/payment.ts'
import { remindBuyer, tellManagers } from '../order/emails.ts'
import { recordOrderEntry } from '../order/entries.ts'
import type { OrderRow } from '../order/pay-order.ts'
import { nextOrderState } from '../order/rules.ts'
import { OfferSnapshot } from '../order/schema.ts'
import { salesOrder } from '../order/table.ts'

/** The subscriptions at providers that charge for an order, the oldest first. */
export async function activeSubscriptions(tx: Tx, orderId: string): Promise<Payment[]> {
  const payments = await listPayments(tx, 'order', [orderId])
  return payments.filter(({ status }) => status === 'subscribed')
}

/** Whether a payment is a charge of a subscription that has ended at its provider, and no other one is charged for the order. */
export async function isChargeOfEndedSubscription(
  tx: Tx,
  { kind, parentId, purposeId }: Pick<Payment, 'kind' | 'parentId' | 'purposeId'>,
): Promise<boolean> {
  if (kind !== 'recurrent' || parentId === null) return false
  const payments = await listPayments(tx, 'order', [purposeId])
  const isEnded = payments.some(({ id, status }) => id === parentId && status === 'canceled')
  return isEnded && !payments.some(({ status }) => status === 'subscribed')
}

/**
 * How a paused subscription is resumed: it continues, the saved card is charged at once, the buyer pays with a card, or
 * later, after the paid period. Null: it is not paused.
 */
export function resumeModeOf(
  { state, nextDueAt }: Pick<OrderRow, 'state' | 'nextDueAt'>,
  payments: readonly Pick<Payment, 'status' | 'cardToken'>[],
  now: Date,
): 'continue' | 'charge' | 'pay' | 'later' | null {
  if (state !== 'paused') return null
  const isOver = nextDueAt === null || nextDueAt <= now
  const hasCard = payments.some(({ status, cardToken }) => status === 'subscribed' && cardToken !== null)
  if (hasCard) return isOver ? 'charge' : 'continue'
  return isOver ? 'pay' : 'later'
}

/**
 * Ends the subscription of a locked order unless another card is charged for it: the access lasts until the end of the paid
 * period. A second call does nothing.
 */
export async function endSubscription(tx: Tx, order: OrderRow): Promise<void> {
  if ((await activeSubscriptions(tx, order.id)).length > 0 || !(await closeSubscription(tx, order))) return
  await remindBuyer(order, parseStored(OfferSnapshot, order.snapshot), 'subscriptionEnded')
}

/** Cancels a locked order and ends its access with the paid period; returns whether there was something to cancel. */
export async function closeSubscription(tx: Tx, order: OrderRow): Promise<boolean> {
  const state = order.paidAt ? nextOrderState(order.state, 'cancel') : null
  if (!state) return false
  await tx.update(salesOrder).set({ state }).where(eq(salesOrder.id, order.id))
  await recordOrderEntry(tx, order, { kind: 'state', text: state })
  const program = { tenantId: order.tenantId, membershipId: null, address: undefined }
  if (order.nextDueAt) await endOrderAccess(tx, program, { orderId: order.id, at: order.nextDueAt, reason: 'canceled' })
  return true
}

/** Tells the buyer that a charge has failed. The access stays open until the grace period ends. */
export async function noteFailedCharge(tx: Tx, order: OrderRow, charge: Payment): Promise<void> {
  if (order.state !== 'active' && order.state !== 'overdue') return
  const state = nextOrderState(order.state, 'miss')
  if (state) {
    await tx.update(salesOrder).set({ state }).where(eq(salesOrder.id, order.id))
    await recordOrderEntry(tx, order, { kind: 'state', text: state })
  }
  const snapshot = parseStored(OfferSnapshot, order.snapshot)
  await remindBuyer(order, snapshot, 'chargeFailed', charge.id)
  await tellManagers(tx, order, snapshot, { kind: 'order_charge_failed', about: charge.id, amount: charge.amount })
  await recordOrderEntry(tx, order, { kind: 'reminder', text: 'chargeFailed' })
}

/** Plans the end of subscriptions that must not charge any more: of a returned order, or of a card that was replaced. */
export const planUnneededEnd = ({ tenantId, id }: Pick<OrderRow, 'tenantId' | 'id'>): Promise<void> =>
  enqueueJob('offer.endUnneededSubscriptions', { tenantId, orderId: id })
