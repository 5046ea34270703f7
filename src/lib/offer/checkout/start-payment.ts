import { eq } from 'drizzle-orm'
import { addressOf } from '#lib/core/config/config.ts'
import type { Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { parseStored } from '#lib/core/shared/parse-stored.ts'
import { createPayment, listPayments, paymentPath } from '#lib/payment/payment.ts'
import type { ProviderName } from '#lib/payment/schema.ts'
import { getTenant } from '#lib/tenant/tenant.ts'
import { nextAmountOf, remindBuyer } from '../order/emails.ts'
import { OfferSnapshot } from '../order/schema.ts'
import { salesOrder } from '../order/table.ts'
import { chargePeriodOf } from '../subscription/schedule.ts'
import { paymentDeadline, readStock, transferReservationEnd } from './reservation.ts'
import type { PlaceOrder } from './schema.ts'

type OrderRow = typeof salesOrder.$inferSelect

/** The page of an order for its buyer. */
const orderPath = (publicId: string): string => `/order/${publicId}`

/** The same page after the payment: it waits for the answer of the bank, and leads on to the address of the offer. */
export const returnPath = (publicId: string): string => `${orderPath(publicId)}?returned=1`

interface DuePayment {
  dueNow: number
  /** The first charge of a subscription that is not charged at once. */
  startsAt?: Date | undefined
  /** The visitor may make test payments. */
  mayTest: boolean
  now: Date
}

/**
 * Adds the payment that is due at once and returns the path of its page. An order for which money was received is paid
 * by money only, and one of test payments by those.
 */
export async function startOrderPayment(
  tx: Tx,
  order: OrderRow,
  provider: ProviderName,
  { dueNow, startsAt, mayTest, now }: DuePayment,
): Promise<string> {
  const { subdomain } = await getTenant(order.tenantId)
  const payment = await createPayment(tx, {
    tenantId: order.tenantId,
    purpose: 'order',
    purposeId: order.id,
    provider,
    amount: dueNow,
    currency: order.currency,
    description: `№ ${order.number}`,
    period: chargePeriodOf(parseStored(OfferSnapshot, order.snapshot).settings),
    startsAt,
    mayTest,
    returnUrl: addressOf(subdomain, returnPath(order.publicId)),
  })
  if (order.paidAmount > 0 && payment.isTest !== order.isTest) throw otherProvider()
  if (payment.isTest !== order.isTest)
    await tx.update(salesOrder).set({ isTest: payment.isTest }).where(eq(salesOrder.id, order.id))
  if (provider === 'bank') {
    await allowTransfer(tx, order, now)
    await remindBuyer(order, parseStored(OfferSnapshot, order.snapshot), 'invoice', payment.id)
  }
  return paymentPath(payment)
}

// A transfer takes days, also where another method was chosen first. The seat is kept for a confirmed address.
async function allowTransfer(tx: Tx, order: OrderRow, now: Date): Promise<void> {
  const { state, createdAt, addressConfirmedAt, reservedUntil } = order
  if (state !== 'awaiting_payment') return
  const expiresAt = paymentDeadline('bank', createdAt)
  const isHeld = addressConfirmedAt !== null && reservedUntil !== null && reservedUntil > now
  const end = isHeld && (await transferReservationEnd(tx, await readStock(tx, order), { deadline: expiresAt, now }))
  await tx
    .update(salesOrder)
    .set({ expiresAt, ...(end && { reservedUntil: end }) })
    .where(eq(salesOrder.id, order.id))
}

const otherProvider = () => new Refusal('unprocessable', { fields: { provider: ['payment_provider'] } })

/** The path of the payment of this provider that was started for an amount, or of a new one. */
export async function continuePayment(
  tx: Tx,
  order: OrderRow,
  provider: ProviderName,
  due: DuePayment,
): Promise<string> {
  const { dueNow, startsAt } = due
  const started = (await listPayments(tx, 'order', [order.id])).find(
    ({ status, parentId, amount, ...payment }) =>
      status === 'new' &&
      parentId === null &&
      amount === dueNow &&
      payment.provider === provider &&
      payment.startsAt?.getTime() === startsAt?.getTime(),
  )
  return started ? paymentPath(started) : startOrderPayment(tx, order, provider, due)
}

/** The next page for an order that the same form has placed before: its payment, or its own page. */
export async function continueOrder(
  tx: Tx,
  order: OrderRow,
  { provider }: PlaceOrder,
  visit: Pick<DuePayment, 'mayTest' | 'now'>,
): Promise<string> {
  const page = orderPath(order.publicId)
  if (order.state !== 'awaiting_payment' || !provider) return page
  const payments = await listPayments(tx, 'order', [order.id])
  // The page of the order shows that the bank is deciding: a second payment would charge the buyer twice.
  if (payments.some(({ status }) => status === 'pending')) return returnPath(order.publicId)
  return continuePayment(tx, order, provider, { dueNow: nextAmountOf(order), ...visit })
}
