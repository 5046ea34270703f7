import { and, eq } from 'drizzle-orm'
import { recordAuditEntry } from '#lib/audit/audit.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { confirmBankTransfer } from '#lib/payment/bank/transfer.ts'
import { payment } from '#lib/payment/table.ts'
import { moneyInput } from '../money-rules.ts'
import { applyOrderPayment } from '../order/apply-payment.ts'
import { requireOrderManager } from '../order/permission.ts'
import { salesOrder } from '../order/table.ts'
import type { ConfirmTransfer } from './schema.ts'

/**
 * Records that the bank transfer of an order has arrived: the order is paid and its access given in the same transaction. A
 * second call does nothing. Refuses with forbidden, plan_inactive, not_found.
 */
export function confirmOrderTransfer(actor: Actor, input: ConfirmTransfer): Promise<{ isConfirmed: boolean }> {
  requireOrderManager(actor)
  return inTenant(actor, async (tx) => ({ isConfirmed: await confirmInTransaction(tx, actor, input) }))
}

/** The same in the caller's transaction, with the line of a bank statement. Refuses with not_found, conflict. */
export async function confirmInTransaction(
  tx: Tx,
  actor: Actor,
  { orderId, paymentId, reference }: ConfirmTransfer & { reference?: string },
): Promise<boolean> {
  const [found] = await tx
    .select({ number: salesOrder.number, amount: payment.amount, currency: payment.currency })
    .from(salesOrder)
    .innerJoin(payment, and(eq(payment.purposeId, salesOrder.id), eq(payment.purpose, 'order')))
    .where(and(eq(salesOrder.id, orderId), eq(payment.id, paymentId)))
  if (!found) throw new Refusal('not_found')
  const isConfirmed = await confirmBankTransfer(tx, applyOrderPayment, { paymentId, by: actor.membershipId, reference })
  if (isConfirmed) {
    await recordAuditEntry(tx, actor, {
      action: 'order.transfer_confirmed',
      objectId: orderId,
      objectName: `№ ${found.number}`,
      after: { amount: `${moneyInput(found.amount)} ${found.currency}` },
    })
  }
  return isConfirmed
}
