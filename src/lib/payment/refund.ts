import { and, eq, inArray, sql } from 'drizzle-orm'
import { inTenant, requireNoTransaction, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { childOf, settleRefund } from './apply-event.ts'
import { type ApplyPayment, getPayment, lockPayment, type Payment, toProviderPayment } from './payment.ts'
import { type ProviderResult, ProviderUnavailable } from './provider.ts'
import { findAccount, getProvider } from './provider-accounts.ts'
import { FIRST_POLL_MS, isOpenStatus } from './rules.ts'
import { payment } from './table.ts'

export interface RefundRequest {
  tenantId: string
  /** A payment or a charge that succeeded. */
  paymentId: string
  /** Minor units. */
  amount: number
  note: string
  /** The team member. */
  by: string
  /** A second request with the same key returns nothing more and answers with the first refund. */
  onceKey?: string | undefined
}

/**
 * Returns money of a payment by its provider, outside of a transaction; the caller has checked the permission. The refund
 * is `success`, `pending` while the provider decides, or `error` with the reason in `failure`. Refuses with not_found, and
 * unprocessable (refund_amount) when less is left.
 */
export async function refundPayment(apply: ApplyPayment, request: RefundRequest): Promise<Payment> {
  requireNoTransaction()
  const { refund, row, account } = await inTenant(request, (tx) => insertRefund(tx, request))
  if (!account) return refund
  const result = await getProvider(row.provider)
    .refund(account, toProviderPayment(row), { refundId: refund.id, amount: request.amount, note: request.note })
    .catch(pendingIfUnavailable)
  await inTenant(request, async (tx) => {
    // The payment is locked before its refunds everywhere.
    await lockPayment(tx, row.id)
    const locked = await lockPayment(tx, refund.id)
    if (locked) await settleRefund(tx, apply, locked, result.status, result)
  })
  return getPayment(request.tenantId, refund.id)
}

/**
 * Ends a refund that the provider has not decided in all that time: its money can be returned again. A confirmation that
 * arrives later is applied nevertheless.
 */
export async function failRefund(apply: ApplyPayment, { tenantId, id, parentId }: Payment): Promise<void> {
  await inTenant({ tenantId }, async (tx) => {
    if (parentId) await lockPayment(tx, parentId)
    const locked = await lockPayment(tx, id)
    if (locked && isOpenStatus(locked.status)) await settleRefund(tx, apply, locked, 'error')
  })
}

/** Without a response of the provider the outcome is unknown and is polled. */
export function pendingIfUnavailable(error: unknown): ProviderResult {
  if (error instanceof ProviderUnavailable) return { status: 'pending' }
  throw error
}

async function insertRefund(tx: Tx, { paymentId, amount, note, by, onceKey }: RefundRequest) {
  const row = await lockPayment(tx, paymentId)
  if (row?.kind === 'refund' || !row) throw new Refusal('not_found')
  const [known] = onceKey
    ? await tx
        .select()
        .from(payment)
        .where(and(eq(payment.parentId, paymentId), eq(payment.onceKey, onceKey)))
    : []
  if (known) return { refund: known, row, account: null }
  if (row.status !== 'success') throw new Refusal('not_found')
  const [sum] = await tx
    .select({ returned: sql<number>`coalesce(sum(${payment.amount}), 0)::int` })
    .from(payment)
    .where(
      and(
        eq(payment.parentId, paymentId),
        eq(payment.kind, 'refund'),
        inArray(payment.status, ['new', 'pending', 'success']),
      ),
    )
  const left = row.amount - (sum?.returned ?? 0)
  if (!Number.isInteger(amount) || amount < 1 || amount > left)
    throw new Refusal('unprocessable', { fields: { amount: ['refund_amount'] }, data: { left } })
  const account = await findAccount(tx, row.provider, row.purpose)
  if (!account) throw new Refusal('not_found')
  const nextPollAt = new Date(Date.now() + FIRST_POLL_MS)
  const [refund] = await tx
    .insert(payment)
    .values({ ...childOf(row), kind: 'refund', amount, note, by, onceKey, nextPollAt })
    .returning()
  if (!refund) throw new Error('the refund was not stored')
  return { refund, row, account }
}
