import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { waitForAll } from '#lib/core/db/wait-for-all.ts'
import { planReceipt } from './fiscal/receipts.ts'
import { type ApplyPayment, encryptCardToken, lockPayment, type Payment } from './payment.ts'
import type { ProviderEvent } from './provider.ts'
import { decideStatus, FIRST_POLL_MS, isOpenStatus, isPaidStatus } from './rules.ts'
import type { CallbackOutcome, CallbackProblem, PaymentStatus } from './schema.ts'
import { payment } from './table.ts'

export interface EventResult {
  outcome: CallbackOutcome
  problem?: CallbackProblem
}

const REPEATED: EventResult = { outcome: 'repeated' }
const APPLIED: EventResult = { outcome: 'applied' }
const rejected = (problem: CallbackProblem): EventResult => ({ outcome: 'rejected', problem })

/**
 * Applies what a provider reports to a locked payment, in its transaction: checks amount and currency against the stored
 * payment, never lets a status return to an earlier one, and applies each change once.
 */
export async function applyPaymentEvent(
  tx: Tx,
  apply: ApplyPayment,
  row: Payment,
  event: ProviderEvent,
): Promise<EventResult> {
  const result = await applyEvent(tx, apply, row, event)
  // Staff see the status that the product does not know.
  return event.isUnknownStatus && !result.problem ? { ...result, problem: 'status' } : result
}

async function applyEvent(tx: Tx, apply: ApplyPayment, row: Payment, event: ProviderEvent): Promise<EventResult> {
  if (event.isTest && !row.isTest) return rejected('test')
  if (event.currency !== null && event.currency !== row.currency) return rejected('currency')
  if (event.status === 'subscribed' && (row.kind !== 'recurrent' || row.parentId)) return rejected('format')
  if (event.kind === 'refund') return applyRefundTotal(tx, apply, row, event)
  if (isPaidStatus(event.status) && event.amount === null) return rejected('amount')
  if (isPaidStatus(event.status) && event.currency === null) return rejected('currency')
  if (event.amount !== null && event.amount !== row.amount) return rejected('amount')
  if (event.kind === 'charge') return applyScheduledCharge(tx, apply, row, event)
  // Messages that it has begun are late then, and must not begin it.
  if (event.endsSubscription && row.status !== 'subscribed') return closePermanently(tx, apply, row)
  // The successful first payment of a subscription is its first charge.
  const isFirstCharge = row.kind === 'recurrent' && row.parentId === null && event.status === 'success'
  if (!isFirstCharge) return changeStatus(tx, apply, row, event.status, event)
  const begun = await changeStatus(tx, apply, row, 'subscribed', event)
  if (begun.outcome === 'applied') await insertCharge(tx, apply, row, event)
  return begun
}

/** Changes the status of a locked payment if the order of statuses allows it, and applies the change. */
export async function changeStatus(
  tx: Tx,
  apply: ApplyPayment,
  row: Payment,
  status: PaymentStatus,
  details: Pick<ProviderEvent, 'providerRef' | 'cardToken' | 'cardMask' | 'failure' | 'providerStatus'> = {},
): Promise<EventResult> {
  const outcome = outcomeOf(row, status)
  const providerStatus = isOpenStatus(status) ? (details.providerStatus?.slice(0, 60) ?? null) : null
  // The provider waits for something else now.
  if (outcome === 'repeated' && isOpenStatus(status) && providerStatus && providerStatus !== row.providerStatus)
    await tx.update(payment).set({ providerStatus }).where(eq(payment.id, row.id))
  if (outcome !== 'applied') return { outcome }
  const isFinal = status !== 'pending'
  const at = new Date()
  const change = {
    status,
    changedAt: at,
    failure: status === 'error' ? (details.failure?.slice(0, 300) ?? null) : null,
    ...(isPaidStatus(status) && { paidAt: at }),
    providerStatus,
    ...(isFinal ? { nextPollAt: null } : { nextPollAt: row.nextPollAt ?? new Date(at.getTime() + FIRST_POLL_MS) }),
    ...(details.providerRef && { providerRef: details.providerRef.slice(0, 200) }),
    ...(details.cardToken && row.kind === 'recurrent' && { cardToken: encryptCardToken(details.cardToken) }),
    ...(details.cardMask && { cardMask: details.cardMask.slice(0, 30) }),
  }
  const changed = { ...row, ...change }
  // The change is sent first, in one message with the first statements of its effects, which read it.
  const update = tx.update(payment).set(change).where(eq(payment.id, row.id)).execute()
  await waitForAll([update, apply(tx, { payment: changed, previousStatus: row.status })])
  planReceipt(tx, changed)
  return APPLIED
}

// An active subscription can only end, and cannot be started again; nor can a payment that was returned.
function outcomeOf(row: Payment, status: PaymentStatus): CallbackOutcome {
  if (row.status === 'subscribed' && status === 'canceled') return 'applied'
  if (row.status === 'canceled' && row.paidAt !== null) return status === 'canceled' ? 'repeated' : 'outdated'
  return decideStatus(row.status, status)
}

/** The columns that a charge or refund has from its parent. */
export function childOf(row: Payment) {
  const { tenantId, purpose, purposeId, provider, currency, description, returnUrl, isTest, id: parentId } = row
  return { tenantId, purpose, purposeId, provider, currency, description, returnUrl, isTest, parentId }
}

async function applyScheduledCharge(
  tx: Tx,
  apply: ApplyPayment,
  row: Payment,
  event: ProviderEvent,
): Promise<EventResult> {
  if (row.kind !== 'recurrent' || row.parentId !== null || !event.providerRef) return rejected('format')
  // The charge may arrive before the message that the subscription has begun.
  if (event.status === 'success') await changeStatus(tx, apply, row, 'subscribed', { ...event, providerRef: undefined })
  const [known] = await tx
    .select()
    .from(payment)
    .where(and(eq(payment.parentId, row.id), eq(payment.kind, 'recurrent'), eq(payment.providerRef, event.providerRef)))
    .for('update')
  return known ? changeStatus(tx, apply, known, event.status, event) : insertCharge(tx, apply, row, event)
}

async function insertCharge(tx: Tx, apply: ApplyPayment, row: Payment, event: ProviderEvent): Promise<EventResult> {
  const [charge] = await tx
    .insert(payment)
    .values({ ...childOf(row), kind: 'recurrent', amount: row.amount })
    .returning()
  return charge ? changeStatus(tx, apply, charge, event.status, event) : REPEATED
}

/**
 * Records that `event.amount` of a payment has been returned in total: the part without a stored refund is added as
 * one.
 */
async function applyRefundTotal(tx: Tx, apply: ApplyPayment, row: Payment, event: ProviderEvent): Promise<EventResult> {
  const target = await findRefunded(tx, row, event)
  if (!target) return rejected('unknown_payment')
  const { paymentAmount = null } = event
  if (event.amount !== null && (event.amount > target.amount || event.amount <= 0)) return rejected('amount')
  if (paymentAmount !== null && paymentAmount !== target.amount) return rejected('amount')
  if (target.status !== 'success' && target.status !== 'recurrent refund') {
    // The message that it was paid is late. A part that was returned proves that the rest was received.
    if (event.amount === null || event.amount === target.amount) return closePermanently(tx, apply, target)
    if (paymentAmount === null || event.currency === null) return rejected('amount')
    const paid = await changeStatus(tx, apply, target, 'success')
    if (paid.outcome !== 'applied') return paid
  }
  const refunds = await tx
    .select()
    .from(payment)
    .where(
      and(
        eq(payment.parentId, target.id),
        eq(payment.kind, 'refund'),
        inArray(payment.status, ['new', 'pending', 'success']),
      ),
    )
    .orderBy(asc(payment.createdAt), asc(payment.id))
    .for('update')
  // Where the provider does not report the amount, it is the requested one, or the complete payment.
  const requested = refunds.reduce((sum, { amount }) => sum + amount, 0)
  const total = event.amount ?? (requested || target.amount)
  let unknown = total - refunds.reduce((sum, { status, amount }) => (status === 'success' ? sum + amount : sum), 0)
  if (unknown <= 0) return REPEATED
  for (const refund of refunds.filter(({ status }) => status !== 'success')) {
    if (refund.amount > unknown) continue
    unknown -= refund.amount
    await settleRefund(tx, apply, refund, 'success')
  }
  if (unknown > 0) await insertRefund(tx, apply, target, unknown)
  return APPLIED
}

/**
 * Closes a payment that was returned in full or voided before it was known to be paid, or a subscription that has ended
 * before it was known to have begun: it was paid or begun at some time, so that a late message about that changes nothing.
 */
async function closePermanently(tx: Tx, apply: ApplyPayment, row: Payment): Promise<EventResult> {
  if (row.status === 'canceled' && row.paidAt !== null) return REPEATED
  const [closed] = await tx
    .update(payment)
    .set({ status: 'canceled', changedAt: sql`now()`, paidAt: sql`now()`, nextPollAt: null })
    .where(eq(payment.id, row.id))
    .returning()
  if (closed) await apply(tx, { payment: closed, previousStatus: row.status })
  return APPLIED
}

/** Ends a locked refund, and marks a charge of a subscription that has been returned in full. */
export async function settleRefund(
  tx: Tx,
  apply: ApplyPayment,
  refund: Payment,
  status: 'success' | 'pending' | 'error',
  details: Pick<ProviderEvent, 'providerRef' | 'failure'> = {},
): Promise<EventResult> {
  const result = await changeStatus(tx, apply, refund, status, details)
  if (result.outcome === 'applied' && status === 'success' && refund.parentId)
    await markRefunded(tx, apply, refund.parentId)
  return result
}

async function insertRefund(tx: Tx, apply: ApplyPayment, target: Payment, amount: number): Promise<void> {
  const [refund] = await tx
    .insert(payment)
    .values({ ...childOf(target), kind: 'refund', amount })
    .returning()
  if (refund) await settleRefund(tx, apply, refund, 'success')
}

async function markRefunded(tx: Tx, apply: ApplyPayment, paymentId: string): Promise<void> {
  const target = await lockPayment(tx, paymentId)
  if (target?.kind !== 'recurrent') return
  const [sum] = await tx
    .select({ returned: sql<number>`coalesce(sum(${payment.amount}), 0)::int` })
    .from(payment)
    .where(and(eq(payment.parentId, paymentId), eq(payment.kind, 'refund'), eq(payment.status, 'success')))
  if ((sum?.returned ?? 0) >= target.amount) await changeStatus(tx, apply, target, 'recurrent refund')
}

// A subscription itself has no amount: a refund returns one of its charges.
async function findRefunded(tx: Tx, row: Payment, { providerRef }: ProviderEvent): Promise<Payment | null> {
  if (row.kind !== 'recurrent' || row.parentId !== null) return row
  const charges = await tx
    .select()
    .from(payment)
    .where(and(eq(payment.parentId, row.id), eq(payment.kind, 'recurrent')))
    .orderBy(asc(payment.createdAt))
    .for('update')
  if (charges.length === 0) return row
  return (
    charges.find((charge) => charge.providerRef === providerRef) ?? (charges.length === 1 ? (charges[0] ?? null) : null)
  )
}
