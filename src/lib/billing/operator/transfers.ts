import { and, desc, eq } from 'drizzle-orm'
import { recordAuditEntry } from '#lib/audit/audit.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { confirmBankTransfer } from '#lib/payment/bank/transfer.ts'
import { payment } from '#lib/payment/table.ts'
import { applyPlanPayment } from '../apply-payment.ts'
import { planDocument, planPurchase } from '../table.ts'
import { findSchool } from './operator.ts'
import type { ConfirmPlanTransfer, SchoolInput, SchoolTransfer, SchoolTransfers } from './schema.ts'

const MAX_TRANSFERS = 100

/** The invoices of a school that are paid by bank transfer, the latest first. Refuses with not_found. */
export async function listPlanTransfers({ school }: SchoolInput): Promise<SchoolTransfers> {
  const row = await findSchool(school)
  const items = await inTenant({ tenantId: row.id }, (tx) => findTransfers(tx))
  return { subdomain: row.subdomain, transfers: items.map(({ paymentId: _, ...transfer }) => transfer) }
}

/**
 * Records that the bank transfer for an invoice has arrived: the plan is paid in the same transaction. A second call does
 * nothing. Refuses with not_found for a school or an invoice that is not there, or that is paid in another way.
 */
export async function confirmPlanTransfer({ school, invoice }: ConfirmPlanTransfer): Promise<SchoolTransfer> {
  const row = await findSchool(school)
  return inTenant({ tenantId: row.id }, async (tx) => {
    const [found] = await findTransfers(tx, invoice)
    if (!found) throw new Refusal('not_found')
    const { paymentId, ...transfer } = found
    const isConfirmed = await confirmBankTransfer(tx, applyPlanPayment, { paymentId, by: null })
    if (isConfirmed) {
      // The operator is no member: the entry has no author.
      const operator = { tenantId: row.id, membershipId: null, address: undefined }
      await recordAuditEntry(tx, operator, {
        action: 'plan.transfer_confirmed',
        objectId: row.id,
        objectName: row.name,
        after: { note: `№ ${invoice}`, amount: `${(transfer.amount / 100).toFixed(2)} ${transfer.currency}` },
      })
    }
    return { ...transfer, state: 'paid' }
  })
}

async function findTransfers(tx: Tx, invoice?: number): Promise<(SchoolTransfer & { paymentId: string })[]> {
  const rows = await tx
    .select({
      paymentId: payment.id,
      invoice: planDocument.number,
      amount: payment.amount,
      currency: payment.currency,
      status: payment.status,
      group: planPurchase.group,
      chosen: planPurchase.chosen,
      createdAt: planPurchase.createdAt,
    })
    .from(planDocument)
    .innerJoin(
      planPurchase,
      and(eq(planPurchase.tenantId, planDocument.tenantId), eq(planPurchase.id, planDocument.purchaseId)),
    )
    .innerJoin(
      payment,
      and(
        eq(payment.tenantId, planPurchase.tenantId),
        eq(payment.purposeId, planPurchase.id),
        eq(payment.purpose, 'plan'),
        eq(payment.provider, 'bank'),
      ),
    )
    .where(and(eq(planDocument.kind, 'invoice'), invoice === undefined ? undefined : eq(planDocument.number, invoice)))
    .orderBy(desc(planDocument.number))
    .limit(MAX_TRANSFERS)
  return rows.map(({ status, chosen, createdAt, ...row }) => ({
    ...row,
    plan: chosen.plan,
    period: chosen.period,
    state: status === 'success' ? 'paid' : status === 'new' ? 'awaited' : 'replaced',
    createdAt: createdAt.toISOString(),
  }))
}
