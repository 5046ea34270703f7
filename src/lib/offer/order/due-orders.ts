import { and, eq, gt, inArray, isNull, lte, not, sql } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { forEachItem } from '#lib/core/jobs/items.ts'
import { forEachTenant } from '#lib/core/jobs/tenants.ts'
import { parseStored } from '#lib/core/shared/parse-stored.ts'
import { DAY_MS, HOUR_MS } from '#lib/core/shared/time.ts'
import { cancelPayment, listPayments } from '#lib/payment/payment.ts'
import { lockOrder } from './apply-payment.ts'
import { remindBuyer } from './emails.ts'
import { recordOrderEntry } from './entries.ts'
import type { OrderRow } from './pay-order.ts'
import { nextOrderState, type OrderEvent, PAID_STATES, PAYMENT_GRACE_DAYS } from './rules.ts'
import { OfferSnapshot } from './schema.ts'
import { hasPendingPayment } from './seats.ts'
import { salesOrder } from './table.ts'

/** Days before a payment at which the buyer is reminded. */
const REMIND_DAYS = 3

/**
 * Releases the seats and coupons of orders that were not paid in time. An order whose payment the bank has not decided
 * waits for it. Periodic; returns how many have expired.
 */
export function expireOrders(now = new Date()): Promise<number> {
  const dueSql = `select 1 from sales_order where state = 'awaiting_payment' and expires_at <= $1`
  return forEachTenant({ job: 'offer.expireOrders', dueSql, now }, async (tenantId) => {
    // Without a limit: orders that wait for a bank or cannot be changed would fill every batch.
    const due = await inTenant({ tenantId }, (tx) =>
      tx
        .select({ id: salesOrder.id })
        .from(salesOrder)
        .where(and(eq(salesOrder.state, 'awaiting_payment'), lte(salesOrder.expiresAt, now), not(hasPendingPayment)))
        .orderBy(salesOrder.expiresAt, salesOrder.id),
    )
    const task = { job: 'offer.expireOrders', tenantId, items: due, idOf: ({ id }: { id: string }) => id }
    return forEachItem(task, ({ id }) => inTenant({ tenantId }, (tx) => expireOrder(tx, id, now)))
  })
}

async function expireOrder(tx: Tx, orderId: string, now: Date): Promise<void> {
  const payments = await listPayments(tx, 'order', [orderId])
  // Payments are locked before their order.
  if (payments.some(({ status }) => status === 'pending')) return
  for (const { id } of payments) await cancelPayment(tx, id)
  const order = await lockOrder(tx, orderId)
  if (!order?.expiresAt || order.expiresAt > now) return
  await moveOrder(tx, order, 'expire')
}

/**
 * Reminds buyers: of orders that they have left unpaid, an hour after the reservation has ended; of payments that are due
 * in three days, and of late ones. Marks late orders and suspends them after the grace period, when their access has
 * ended by itself. Periodic; returns how many orders were looked at.
 */
export function followUpOrders(now = new Date()): Promise<number> {
  const dueSql = `select 1 from sales_order where (state = 'expired' and reminded_at is null
      and expires_at between $1 - interval '2 days' and $1 - interval '1 hour')
    or (state in ('active', 'overdue') and snapshot -> 'settings' ->> 'kind' <> 'subscription' and next_due_at <= $1 + interval '${REMIND_DAYS} days')`
  return forEachTenant({ job: 'offer.followUpOrders', dueSql, now }, async (tenantId) => {
    const rows = await inTenant({ tenantId }, (tx) => findDue(tx, now))
    const task = { job: 'offer.followUpOrders', tenantId, items: rows, idOf: ({ id }: { id: string }) => id }
    await forEachItem(task, ({ id }) => inTenant({ tenantId }, (tx) => followUp(tx, id, now)))
    return rows.length
  })
}

function findDue(tx: Tx, now: Date): Promise<{ id: string }[]> {
  const isAbandoned = and(
    eq(salesOrder.state, 'expired'),
    isNull(salesOrder.remindedAt),
    sql`${salesOrder.expiresAt} between ${instantAfter(now, -2 * DAY_MS)} and ${instantAfter(now, -HOUR_MS)}`,
  )
  const isDue = and(
    inArray(salesOrder.state, ['active', 'overdue']),
    // Subscriptions are charged by the provider or by subscription/renew.ts.
    sql`${salesOrder.snapshot} -> 'settings' ->> 'kind' <> 'subscription'`,
    sql`${salesOrder.nextDueAt} <= ${instantAfter(now, REMIND_DAYS * DAY_MS)}`,
  )
  return tx.select({ id: salesOrder.id }).from(salesOrder).where(sql`${isAbandoned} or ${isDue}`)
}

async function followUp(tx: Tx, orderId: string, now: Date): Promise<void> {
  const order = await lockOrder(tx, orderId)
  if (!order) return
  const snapshot = parseStored(OfferSnapshot, order.snapshot)
  if (order.state === 'expired') {
    if (order.remindedAt !== null) return
    if (await hasBoughtMeanwhile(tx, order)) {
      await tx.update(salesOrder).set({ remindedAt: now }).where(eq(salesOrder.id, order.id))
      return
    }
    await remindBuyer(order, snapshot, 'abandoned')
    await noteReminder(tx, order, 'abandoned', now)
    return
  }
  if (order.state !== 'active' && order.state !== 'overdue') return
  const dueMs = order.nextDueAt?.getTime() ?? Number.POSITIVE_INFINITY
  const isLate = dueMs <= now.getTime()
  // An active order is marked late first, and suspended by the next run.
  if (order.state === 'overdue' && dueMs + PAYMENT_GRACE_DAYS * DAY_MS <= now.getTime())
    return void (await moveOrder(tx, order, 'suspend'))
  if (isLate && order.state === 'active') {
    await moveOrder(tx, order, 'miss')
    await remindBuyer(order, snapshot, 'overdue')
    await noteReminder(tx, order, 'overdue', now)
  } else if (!isLate && order.remindedAt === null) {
    await remindBuyer(order, snapshot, 'due')
    await noteReminder(tx, order, 'due', now)
  }
}

/** Whether the buyer of an abandoned order has placed another one for the same course since. */
async function hasBoughtMeanwhile(tx: Tx, { courseId, email, createdAt }: OrderRow): Promise<boolean> {
  const later = and(
    eq(salesOrder.email, email),
    eq(salesOrder.courseId, courseId),
    gt(salesOrder.createdAt, createdAt),
    inArray(salesOrder.state, ['awaiting_payment', ...PAID_STATES]),
  )
  return (await tx.$count(salesOrder, later)) > 0
}

async function moveOrder(tx: Tx, order: OrderRow, event: OrderEvent): Promise<void> {
  const state = nextOrderState(order.state, event)
  if (!state) return
  const closed = state === 'expired' ? { reservedUntil: null, networkKey: null } : {}
  await tx
    .update(salesOrder)
    .set({ state, ...closed })
    .where(eq(salesOrder.id, order.id))
  await recordOrderEntry(tx, order, { kind: 'state', text: state })
}

async function noteReminder(tx: Tx, order: OrderRow, kind: string, now: Date): Promise<void> {
  await tx.update(salesOrder).set({ remindedAt: now }).where(eq(salesOrder.id, order.id))
  await recordOrderEntry(tx, order, { kind: 'reminder', text: kind })
}

const instantAfter = (now: Date, offsetMs: number) =>
  sql`${new Date(now.getTime() + offsetMs).toISOString()}::timestamptz`
