import { eq } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { waitForAll } from '#lib/core/db/wait-for-all.ts'
import { enqueueJobWithCommit } from '#lib/core/jobs/jobs.ts'
import { parseStored } from '#lib/core/shared/parse-stored.ts'
import { getTenant } from '#lib/tenant/tenant.ts'
import { beginPeriodAt, renewSchedule } from '../subscription/schedule.ts'
import { noteUpgrade } from '../upgrade.ts'
import { accessEndOf } from './access/access-end.ts'
import { grantAccessOf } from './access/grant-access.ts'
import type { PaymentConfirmation } from './confirmation/send-payment-confirmation.ts'
import { recordOrderEntry } from './entries.ts'
import { isTrial, nextOrderState, type OrderEvent } from './rules.ts'
import { OfferSnapshot, PlannedPayment } from './schema.ts'
import { countTakenSeats } from './seats.ts'
import { salesOrder } from './table.ts'

export type OrderRow = typeof salesOrder.$inferSelect

interface AppliedPayment {
  amount: number
  at: Date
  /** No money was received. */
  isTest?: boolean
  /** A charge of a subscription that the provider has ended already. */
  isEndedByProvider?: boolean
}

/**
 * Applies a payment to a locked order in the caller's transaction: its state, the access, and the invitation of a new
 * person. A job sends the confirmation. Money is accepted in every state, also after the reservation has expired; a person
 * who has paid gets access.
 */
export async function payOrder(
  tx: Tx,
  order: OrderRow,
  { amount, at, isTest = false, isEndedByProvider = false }: AppliedPayment,
): Promise<void> {
  const snapshot = parseStored(OfferSnapshot, order.snapshot)
  const isPaused = order.state === 'paused' && (isEndedByProvider || (order.nextDueAt !== null && order.nextDueAt > at))
  const planned = order.schedule.map((item) => parseStored(PlannedPayment, item))
  const isResumed = order.state === 'paused' && !isPaused
  const marked = markPaid(isResumed ? beginPeriodAt(planned, at) : planned, order.paidAmount + amount, at)
  const { kind, period } = snapshot.settings
  const schedule =
    kind === 'subscription'
      ? renewSchedule(marked, { period, zone: (await getTenant(order.tenantId)).timeZone })
      : marked
  const next = schedule.find(({ paidAt }) => paidAt === null)
  const event: OrderEvent = schedule.length === 0 ? 'payAll' : next ? 'payPart' : 'payLast'
  // A charge that was under way when the subscription was canceled or paused extends the access and does not begin it again.
  // The first payment after a trial that has ended begins it.
  const wasCanceled = kind === 'subscription' && order.state === 'canceled' && order.paidAmount > 0
  const applied = wasCanceled || isPaused ? order.state : nextOrderState(order.state, event)
  // Nothing is charged after a first charge that arrives when the provider has ended the subscription.
  const isCanceled = wasCanceled || (isEndedByProvider && applied === 'active')
  const state = isCanceled ? 'canceled' : applied
  const nextDueAt = next ? new Date(next.dueAt) : null
  const paidAt = order.paidAt ?? at
  const paid = {
    schedule,
    nextDueAt,
    paidAt,
    paidAmount: order.paidAmount + amount,
    state: state ?? order.state,
    // Money makes it a real order.
    isTest: amount === 0 ? order.isTest : isTest && (order.isTest || order.paidAmount === 0),
    expiresAt: null,
    reservedUntil: null,
    networkKey: null,
    remindedAt: null,
    // Money that arrives after a refund gives access again.
    accessEndedAt: null,
  }
  if (!state) {
    // A second payment of an order that is paid already: the money is noted, and staff return it.
    await tx
      .update(salesOrder)
      .set({ paidAmount: paid.paidAmount, isTest: paid.isTest })
      .where(eq(salesOrder.id, order.id))
    await recordOrderEntry(tx, order, { kind: 'problem', text: 'paidTwice' })
    return
  }
  // The reservation may have ended before the job that closes the order.
  const isOver = order.state === 'awaiting_payment' && order.reservedUntil !== null && order.reservedUntil <= at
  const isLate = isOver || order.state === 'expired' || (order.state === 'canceled' && !wasCanceled)
  const { seats } = snapshot.settings
  if (isLate && seats !== null && (await countTakenSeats(tx, order.offerId, at)) >= seats) {
    await recordOrderEntry(tx, order, { kind: 'problem', text: 'seatTaken' })
  }
  const isFirst = order.paidAt === null
  const updated = { ...order, ...paid }
  const hasGrace = !isCanceled && !isPaused && !isTrial(updated)
  const endsAt = accessEndOf(snapshot.settings, { paidAt, nextDueAt, hasGrace })
  // The change is sent first, in one message with the first statements of the access.
  const update = tx.update(salesOrder).set(paid).where(eq(salesOrder.id, order.id)).execute()
  const [, { isInvited }] = await waitForAll([update, grantAccessOf(tx, updated, snapshot, endsAt)])
  await recordOrderEntry(tx, order, { kind: 'state', text: state })
  if (isFirst) await noteUpgrade(tx, order)
  const { tenantId, id: orderId } = order
  const confirmation: PaymentConfirmation = {
    tenantId,
    orderId,
    amount,
    paidAmount: paid.paidAmount,
    isFirst,
    isInvited,
  }
  await enqueueJobWithCommit('offer.sendPaymentConfirmation', { ...confirmation })
}

// The earliest planned payments are paid that everything paid so far suffices for, however it was divided.
function markPaid(schedule: readonly PlannedPayment[], paidAmount: number, at: Date): PlannedPayment[] {
  let left = paidAmount
  return schedule.map((planned) => {
    left -= planned.amount
    return planned.paidAt !== null || left < 0 ? planned : { ...planned, paidAt: at.toISOString() }
  })
}
