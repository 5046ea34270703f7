import { and, eq } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import type { ApplyPayment, Payment } from '#lib/payment/payment.ts'
import { getTenant } from '#lib/tenant/tenant.ts'
import { storeCard } from './account.ts'
import { issueDocument } from './documents.ts'
import { applyRenewal, loadGroup, lockPlans, quoteFacts, storeGroup, storePending } from './group-plan.ts'
import { emailPayment } from './notices.ts'
import { mergeChosen, type PresentPlan, quoteRenewal } from './quote-rules.ts'
import { planPurchase } from './table.ts'

/**
 * Applies the payment of a plan in the transaction of the payment, once. Refunds do not shorten the paid time; the
 * operator does.
 */
export const applyPlanPayment: ApplyPayment = async (tx, { payment, previousStatus }) => {
  const { kind, status, parentId } = payment
  if (kind === 'recurrent' && parentId === null) {
    if (status === 'subscribed' && previousStatus !== 'subscribed') await storeCard(tx, payment)
    return
  }
  const isFailedCharge = kind === 'recurrent' && status === 'error'
  if (kind === 'refund' || (status !== 'success' && !isFailedCharge)) return
  await lockPlans(tx, payment.tenantId)
  const [purchase] = await tx
    .select()
    .from(planPurchase)
    .where(eq(planPurchase.id, purchaseIdOf(payment)))
    .for('update')
  if (!purchase) return
  if (isFailedCharge) await emailPayment(tx, 'chargeFailed', purchase)
  else await applyPurchase(tx, purchase, payment.paidAt ?? new Date())
}

/** The purchase that a payment pays for: a charge of the saved card names it in its key. */
export const purchaseIdOf = ({ onceKey, purposeId }: Pick<Payment, 'onceKey' | 'purposeId'>): string =>
  onceKey?.split('/')[0] ?? purposeId

/**
 * Gives what a purchase has bought. Payments may arrive in any order, also of purchases that another one has replaced:
 * a period is added, a change never takes anything away.
 */
export async function applyPurchase(tx: Tx, purchase: typeof planPurchase.$inferSelect, at: Date): Promise<void> {
  const [paid] = await tx
    .update(planPurchase)
    .set({ state: 'paid', paidAt: at })
    .where(and(eq(planPurchase.id, purchase.id), eq(planPurchase.state, 'new')))
    .returning({ id: planPurchase.id })
  if (!paid) return
  const { from: paidFrom, until: paidUntil } = await giveBought(tx, purchase, at)
  await tx.update(planPurchase).set({ paidFrom, paidUntil }).where(eq(planPurchase.id, purchase.id))
  await issueDocument(tx, 'act', { ...purchase, paidFrom, paidUntil })
  if (purchase.amount > 0) await emailPayment(tx, 'paid', purchase)
}

/** Returns the time that is paid for: a period that is paid later than it was bought may begin later. */
async function giveBought(
  tx: Tx,
  purchase: typeof planPurchase.$inferSelect,
  at: Date,
): Promise<{ from: Date; until: Date }> {
  const { tenantId, group, kind, chosen, paidFrom, paidUntil } = purchase
  const { timeZone } = await getTenant(tenantId)
  const facts = { ...quoteFacts(group, timeZone, at), at }
  if (kind === 'renewal') {
    const quote = (present: PresentPlan | null) => quoteRenewal(present, chosen, facts)
    return applyRenewal(tx, { tenantId, group, chosen }, { ...facts, quote })
  }
  const { present, next } = await loadGroup(tx, tenantId, group, { lock: true })
  const until = present?.until && present.until > paidUntil ? present.until : paidUntil
  await storeGroup(tx, tenantId, group, { ...(present ? mergeChosen(present, chosen) : chosen), until })
  if (next?.paidUntil) await storePending(tx, tenantId, group, next)
  return { from: paidFrom, until: paidUntil }
}
