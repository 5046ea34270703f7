import { and, eq, inArray } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { lockUntilCommit } from '#lib/core/db/locks.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { changeStatus } from '../apply-event.ts'
import { type ApplyPayment, lockPayment, type Payment } from '../payment.ts'
import { findAccount } from '../provider-accounts.ts'
import { payment, paymentCallback } from '../table.ts'

/** Where buyers transfer money. */
export interface BankDetails {
  recipient: string
  iban: string
  taxId: string
}

/** The bank account of the tenant, or null. */
export async function findBankDetails(tx: Tx): Promise<BankDetails | null> {
  const account = await findAccount(tx, 'bank', 'order')
  const { recipient, iban, taxId } = account?.keys ?? {}
  return recipient && iban && taxId ? { recipient, iban, taxId } : null
}

/** Whether staff can confirm that the money of a payment has arrived: also after its order has expired. */
export const isOpenTransfer = ({ provider, kind, status }: Payment): boolean =>
  provider === 'bank' && kind === 'once' && (status === 'new' || status === 'canceled')

/**
 * Records that a bank transfer has arrived, and applies it in the caller's transaction. `reference` identifies the line of
 * a bank statement, which confirms one payment only; `by` is null for the operator of the installation. A second call does nothing and returns false. Refuses with not_found,
 * conflict (transfer_used) for a line that has confirmed another payment.
 */
export async function confirmBankTransfer(
  tx: Tx,
  apply: ApplyPayment,
  { paymentId, by, reference }: { paymentId: string; by: string | null; reference?: string | undefined },
): Promise<boolean> {
  const row = await lockPayment(tx, paymentId)
  if (row?.provider !== 'bank' || row.kind !== 'once') throw new Refusal('not_found')
  if (!isOpenTransfer(row)) return false
  // The same line is not used for two payments at the same time.
  if (reference) await lockUntilCommit(tx, 'statement', reference)
  if (reference && (await findUsedReferences(tx, [reference])).size > 0)
    throw new Refusal('conflict', { fields: { form: ['transfer_used'] } })
  const { outcome } = await changeStatus(tx, apply, row, 'success', { providerRef: reference })
  if (outcome !== 'applied') return false
  await tx.update(payment).set({ by }).where(eq(payment.id, paymentId))
  await tx.insert(paymentCallback).values({
    tenantId: row.tenantId,
    provider: 'bank',
    source: 'staff',
    body: '',
    headers: {},
    signatureOk: true,
    paymentId,
    status: 'success',
    outcome,
    processedAt: new Date(),
  })
  return true
}

/** Those of these lines of bank statements that have confirmed a payment. */
export async function findUsedReferences(tx: Tx, references: readonly string[]): Promise<Set<string>> {
  if (references.length === 0) return new Set()
  const rows = await tx
    .select({ reference: payment.providerRef })
    .from(payment)
    .where(and(eq(payment.provider, 'bank'), inArray(payment.providerRef, [...references])))
  return new Set(rows.flatMap(({ reference }) => (reference ? [reference] : [])))
}
