import { and, asc, eq, sql } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { reportServerError } from '#lib/core/http/error-report.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { forEachTenant } from '#lib/core/jobs/tenants.ts'
import { log, withoutQueryValues } from '#lib/core/log.ts'
import { parseStored } from '#lib/core/shared/parse-stored.ts'
import { DAY_MS } from '#lib/core/shared/time.ts'
import { listPayments } from '#lib/payment/payment.ts'
import { type ChargeRequest, chargeSubscription } from '#lib/payment/subscription.ts'
import { isBlockedStudent } from '#lib/student/admission.ts'
import { applyOrderPayment, lockOrder } from '../order/apply-payment.ts'
import { nextAmountOf, remindBuyer } from '../order/emails.ts'
import { recordOrderEntry } from '../order/entries.ts'
import type { OrderRow } from '../order/pay-order.ts'
import { isTrial, nextOrderState, type OrderEvent, PAYMENT_GRACE_DAYS } from '../order/rules.ts'
import { OfferSnapshot } from '../order/schema.ts'
import { salesOrder } from '../order/table.ts'
import { NOTICE_DAYS } from './schedule.ts'
import { activeSubscriptions, closeSubscription, planUnneededEnd } from './state.ts'
import { followUpTrial } from './trial.ts'

/** A failed charge is repeated daily, this many times in all; LiqPay repeats for 72 hours by itself. */
const ATTEMPTS = 4
/** A charge about which the provider has reported nothing is late after this time. */
const LATE_DAYS = 3

/**
 * Announces the charges of subscriptions, charges saved cards that are due, repeats failed charges daily, and suspends
 * orders after the grace period, when their access has ended by itself. Ends trials that were not paid, and the subscriptions
 * of blocked students. Providers that keep the schedule charge
 * themselves. A failure of one order is logged and reported, and the others are continued. Periodic; returns how many
 * orders were looked at.
 */
export function renewSubscriptions(now = new Date()): Promise<number> {
  const dueSql = `select 1 from sales_order where snapshot -> 'settings' ->> 'kind' = 'subscription'
    and state in ('active', 'overdue') and next_due_at <= $1 + interval '${NOTICE_DAYS.year} days'`
  return forEachTenant({ job: 'offer.renewSubscriptions', dueSql, now }, async (tenantId) => {
    const orders = await inTenant({ tenantId }, (tx) => findDue(tx, now))
    for (const { id } of orders) await renewOrder({ tenantId, orderId: id }, now).catch(reportFailure(id))
    return orders.length
  })
}

/** Does what is due for the subscription of one order, e.g. charges its card. */
export async function renewOrder(
  { tenantId, orderId }: { tenantId: string; orderId: string },
  now: Date,
): Promise<void> {
  const charge = await inTenant({ tenantId }, (tx) => followUp(tx, orderId, now))
  if (charge) await chargeCard(charge)
}

const reportFailure = (orderId: string) => (error: unknown) => {
  log.error({ orderId, err: withoutQueryValues(error) }, 'A subscription could not be renewed')
  reportServerError(error, `offer.renewSubscriptions ${orderId}`)
}

function findDue(tx: Tx, now: Date): Promise<{ id: string }[]> {
  const soon = new Date(now.getTime() + NOTICE_DAYS.year * DAY_MS).toISOString()
  return tx
    .select({ id: salesOrder.id })
    .from(salesOrder)
    .where(
      and(
        sql`${salesOrder.state} in ('active', 'overdue')`,
        sql`${salesOrder.snapshot} -> 'settings' ->> 'kind' = 'subscription'`,
        sql`${salesOrder.nextDueAt} <= ${soon}::timestamptz`,
        sql`(${salesOrder.remindedAt} is null or ${salesOrder.nextDueAt} <= ${now.toISOString()}::timestamptz
          or exists (select 1 from membership m where m.tenant_id = ${salesOrder.tenantId} and m.id = ${salesOrder.studentId}
            and m.blocked_at is not null))`,
      ),
    )
    .orderBy(asc(salesOrder.nextDueAt))
}

/** Returns the charge that is to be made now. */
async function followUp(tx: Tx, orderId: string, now: Date): Promise<ChargeRequest | null> {
  const order = await lockOrder(tx, orderId)
  if (!order?.nextDueAt || (order.state !== 'active' && order.state !== 'overdue')) return null
  // A blocked student would pay for nothing. The provider that keeps the schedule charges no more either.
  if (order.studentId && (await isBlockedStudent(tx, order.studentId))) {
    if (await closeSubscription(tx, order)) await planUnneededEnd(order)
    return null
  }
  const snapshot = parseStored(OfferSnapshot, order.snapshot)
  const lateDays = (now.getTime() - order.nextDueAt.getTime()) / DAY_MS
  if (isTrial(order)) {
    await followUpTrial(tx, order, { snapshot, lateDays, now })
    return null
  }
  if (lateDays < 0) {
    if (order.remindedAt === null && -lateDays <= NOTICE_DAYS[snapshot.settings.period]) {
      await tx.update(salesOrder).set({ remindedAt: now }).where(eq(salesOrder.id, order.id))
      await remindBuyer(order, snapshot, 'renewal')
      await recordOrderEntry(tx, order, { kind: 'reminder', text: 'due' })
    }
    return null
  }
  if (order.state === 'overdue' && lateDays >= PAYMENT_GRACE_DAYS) {
    await moveOrder(tx, order, 'suspend')
    return null
  }
  if (order.state === 'active' && lateDays >= LATE_DAYS) {
    await moveOrder(tx, order, 'miss')
    await remindBuyer(order, snapshot, 'overdue')
    await recordOrderEntry(tx, order, { kind: 'reminder', text: 'overdue' })
  }
  return lateDays < ATTEMPTS ? nextCharge(tx, order, Math.floor(lateDays)) : null
}

async function nextCharge(tx: Tx, order: OrderRow, attempt: number): Promise<ChargeRequest | null> {
  const subscription = (await activeSubscriptions(tx, order.id)).at(-1)
  if (!subscription?.cardToken || !order.nextDueAt) return null
  const period = order.nextDueAt.toISOString()
  const payments = await listPayments(tx, 'order', [order.id])
  // While the outcome of a charge is unknown the card is not charged again.
  const isCharged = payments.some(({ onceKey, status }) => onceKey?.startsWith(period) && status !== 'error')
  if (isCharged) return null
  const { tenantId } = order
  return { tenantId, paymentId: subscription.id, amount: nextAmountOf(order), onceKey: `${period}/${attempt}` }
}

async function chargeCard(charge: ChargeRequest): Promise<void> {
  try {
    await chargeSubscription(applyOrderPayment, charge)
  } catch (error) {
    // Canceled meanwhile, or the school has disconnected the provider: the order becomes late by its date.
    if (!(error instanceof Refusal)) throw error
    log.warn({ paymentId: charge.paymentId, code: error.code }, 'A subscription could not be charged')
  }
}

async function moveOrder(tx: Tx, order: OrderRow, event: OrderEvent): Promise<void> {
  const state = nextOrderState(order.state, event)
  if (!state) return
  await tx.update(salesOrder).set({ state }).where(eq(salesOrder.id, order.id))
  await recordOrderEntry(tx, order, { kind: 'state', text: state })
}
