import { and, desc, eq, inArray, sql } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { listPayments, type Payment } from '#lib/payment/payment.ts'
import type { PaymentStatus } from '#lib/payment/schema.ts'
import { payment } from '#lib/payment/table.ts'
import { purchaseIdOf } from './apply-payment.ts'
import { listDocuments, transferDetailsOf } from './documents.ts'
import { requireBillingManager } from './overview.ts'
import type { DocumentKind } from './schema.ts'
import { planPurchase } from './table.ts'

const MAX_ROWS = 100

export type PurchaseRow = Omit<typeof planPurchase.$inferSelect, 'tenantId' | 'createdBy'> & {
  /** The state of its latest payment; null without one. */
  payment: PaymentStatus | null
  /** Where to transfer its amount while a bank transfer is awaited; null otherwise. */
  transfer: ReturnType<typeof transferDetailsOf> | null
  /** What was returned of it, in minor units. */
  refunded: number
  documents: { id: string; kind: DocumentKind; number: number }[]
}

/** The latest purchases of plans with their payments, newest first. Refuses with forbidden. */
export async function listPurchases(actor: Actor): Promise<PurchaseRow[]> {
  requireBillingManager(actor)
  return inTenant(actor, async (tx) => {
    const rows = await tx
      .select()
      .from(planPurchase)
      .orderBy(desc(planPurchase.createdAt), desc(planPurchase.id))
      .limit(MAX_ROWS)
    const ids = rows.map(({ id }) => id)
    const [payments, documents] = await Promise.all([listPurchasePayments(tx, ids), listDocuments(tx, ids)])
    return rows.map(({ tenantId: _, createdBy: __, ...row }) => {
      const own = payments.filter((paid) => purchaseIdOf(paid) === row.id)
      const ownIds = own.map(({ id }) => id)
      const refunded = payments
        .filter(
          ({ kind, status, parentId }) => kind === 'refund' && status === 'success' && ownIds.includes(parentId ?? ''),
        )
        .reduce((sum, { amount }) => sum + amount, 0)
      const latest = own.findLast(({ kind }) => kind !== 'refund')
      const isAwaited = row.state === 'new' && latest?.provider === 'bank' && latest.status === 'new'
      const issued = documents.filter(({ purchaseId }) => purchaseId === row.id)
      const invoice = issued.find(({ kind }) => kind === 'invoice')
      return {
        ...row,
        payment: latest?.status ?? null,
        transfer: isAwaited && invoice ? transferDetailsOf(invoice.content) : null,
        refunded,
        documents: issued.map(({ id, kind, number }) => ({ id, kind, number })),
      }
    })
  })
}

// Charges of a saved card belong to the purchase that has saved it, and name the one that they pay for.
async function listPurchasePayments(tx: Tx, purchaseIds: readonly string[]): Promise<Payment[]> {
  if (purchaseIds.length === 0) return []
  const charges = await tx
    .selectDistinct({ purposeId: payment.purposeId })
    .from(payment)
    .where(and(eq(payment.purpose, 'plan'), inArray(sql`split_part(${payment.onceKey}, '/', 1)`, [...purchaseIds])))
  return listPayments(tx, 'plan', [...new Set([...purchaseIds, ...charges.map(({ purposeId }) => purposeId)])])
}
