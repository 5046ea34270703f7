import { and, eq, inArray } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import type { PaymentPurpose } from './schema.ts'
import { payment, paymentCallback } from './table.ts'

/**
 * Removes what the payments of these orders or plans hold about their payers: the raw reports of providers, which contain
 * names, phones and cards, saved cards, and notes. Amounts, references and statuses are kept for the accounts. A removed
 * report cannot be replayed.
 */
export async function erasePayers(tx: Tx, purpose: PaymentPurpose, purposeIds: readonly string[]): Promise<void> {
  if (purposeIds.length === 0) return
  const isErased = and(eq(payment.purpose, purpose), inArray(payment.purposeId, [...purposeIds]))
  await tx
    .update(paymentCallback)
    .set({ body: '', headers: {} })
    .where(inArray(paymentCallback.paymentId, tx.select({ id: payment.id }).from(payment).where(isErased)))
  await tx
    .update(payment)
    .set({ cardToken: null, cardMask: null, note: null, failure: null, stepUrl: null, stepEndsAt: null })
    .where(isErased)
}
