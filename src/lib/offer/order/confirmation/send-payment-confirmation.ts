import { eq } from 'drizzle-orm'
import { inTenant } from '#lib/core/db/db.ts'
import { parseStored } from '#lib/core/shared/parse-stored.ts'
import { emailBuyer } from '../emails.ts'
import { isErasedOrder } from '../rules.ts'
import { OfferSnapshot } from '../schema.ts'
import { salesOrder } from '../table.ts'

/** A payment of an order that was applied. */
export interface PaymentConfirmation {
  tenantId: string
  orderId: string
  /** The payment, in minor units. */
  amount: number
  /** Everything paid for the order with this payment: it identifies the payment. */
  paidAmount: number
  isFirst: boolean
  /** The person who gets the access was invited. */
  isInvited: boolean
}

/**
 * Confirms a payment to the buyer by email, and notifies the owner and the directors. The date of the next payment is the
 * present one. A job; a second run sends nothing.
 */
export async function sendPaymentConfirmation(confirmation: PaymentConfirmation): Promise<void> {
  const { tenantId, orderId, paidAmount } = confirmation
  await inTenant({ tenantId }, async (tx) => {
    const [order] = await tx.select().from(salesOrder).where(eq(salesOrder.id, orderId))
    if (!order || isErasedOrder(order)) return
    await emailBuyer(tx, { ...order, paidAmount }, parseStored(OfferSnapshot, order.snapshot), confirmation)
  })
}
