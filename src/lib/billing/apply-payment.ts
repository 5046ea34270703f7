import { and, eq } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import type { ApplyPayment } from '#lib/payment/payment.ts'
import { getTenant } from '#lib/tenant/tenant.ts'
import { applyRenewal, loadGroup, quoteFacts, storeGroup, storePending } from './group-plan.ts'
import { mergeChosen, quoteRenewal } from './quote-rules.ts'
import { planPurchase } from './table.ts'

/**
 * Applies the payment of a plan in the transaction of the payment, once. Refunds do not shorten the paid time; the
 * operator does.
 */
export const applyPlanPayment: ApplyPayment = async (tx, { payment }) => {
  if (payment.status !== 'success' || payment.kind !== 'once') return
  const [purchase] = await tx.select().from(planPurchase).where(eq(planPurchase.id, payment.purposeId)).for('update')
  if (purchase) await applyPurchase(tx, purchase, payment.paidAt ?? new Date())
}

/**
 * Gives what a purchase has bought. Payments may arrive in any order, also of purchases that another one has replaced:
 * a period is added, a change never takes anything away.
 */
export async function applyPurchase(tx: Tx, purchase: typeof planPurchase.$inferSelect, at: Date): Promise<void> {
  const { id, tenantId, group, kind, chosen, paidUntil } = purchase
  const [paid] = await tx
    .update(planPurchase)
    .set({ state: 'paid', paidAt: at })
    .where(and(eq(planPurchase.id, id), eq(planPurchase.state, 'new')))
    .returning({ id: planPurchase.id })
  if (!paid) return
  const { timeZone } = await getTenant(tenantId)
  const facts = { ...quoteFacts(group, timeZone, at), at }
  if (kind === 'renewal') {
    const until: Parameters<typeof applyRenewal>[2]['until'] = (present) => quoteRenewal(present, chosen, facts).until
    return applyRenewal(tx, { tenantId, group, chosen }, { ...facts, until })
  }
  const { present, next } = await loadGroup(tx, tenantId, group, { lock: true })
  const until = present?.until && present.until > paidUntil ? present.until : paidUntil
  await storeGroup(tx, tenantId, group, { ...(present ? mergeChosen(present, chosen) : chosen), until })
  if (next?.paidUntil) await storePending(tx, tenantId, group, next)
}
