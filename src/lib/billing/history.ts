import { desc } from 'drizzle-orm'
import { inTenant } from '#lib/core/db/db.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { listPayments } from '#lib/payment/payment.ts'
import type { PaymentStatus } from '#lib/payment/schema.ts'
import { requireBillingManager } from './overview.ts'
import { planPurchase } from './table.ts'

const MAX_ROWS = 100

export type PurchaseRow = Omit<typeof planPurchase.$inferSelect, 'tenantId' | 'createdBy'> & {
  /** The state of its latest payment; null without one. */
  payment: PaymentStatus | null
  /** What was returned of it, in minor units. */
  refunded: number
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
    const payments = await listPayments(
      tx,
      'plan',
      rows.map(({ id }) => id),
    )
    return rows.map(({ tenantId: _, createdBy: __, ...row }) => {
      const own = payments.filter(({ purposeId }) => purposeId === row.id)
      const refunded = own
        .filter(({ kind, status }) => kind === 'refund' && status === 'success')
        .reduce((sum, { amount }) => sum + amount, 0)
      return { ...row, payment: own.findLast(({ kind }) => kind !== 'refund')?.status ?? null, refunded }
    })
  })
}
