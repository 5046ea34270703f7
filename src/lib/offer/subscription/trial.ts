import { and, eq, notInArray, or, sql } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { listPayments } from '#lib/payment/payment.ts'
import { remindBuyer } from '../order/emails.ts'
import { recordOrderEntry } from '../order/entries.ts'
import { isSameMailbox } from '../order/mailbox-sql.ts'
import type { OrderRow } from '../order/pay-order.ts'
import { nextOrderState } from '../order/rules.ts'
import type { OfferSnapshot } from '../order/schema.ts'
import { salesOrder } from '../order/table.ts'

/** Days before the end of a trial at which the buyer is reminded; in a short one after half of it. */
const NOTICE_DAYS = 2

/**
 * Whether a person has had the trial of an offer: the buyer with this email address, or the student who is signed in. The
 * caller orders concurrent requests of a buyer.
 */
export async function isTrialUsed(
  tx: Tx,
  { offerId, email, studentId }: { offerId: string; email: string | null; studentId: string | null },
): Promise<boolean> {
  const isPerson = or(
    email === null ? undefined : isSameMailbox(email),
    studentId === null ? undefined : eq(salesOrder.studentId, studentId),
  )
  if (!isPerson) return false
  const [row] = await tx
    .select({ id: salesOrder.id })
    .from(salesOrder)
    .where(
      and(
        eq(salesOrder.offerId, offerId),
        isPerson,
        notInArray(salesOrder.state, ['new', 'awaiting_payment', 'expired']),
        sql`(${salesOrder.schedule} -> 0 ->> 'amount')::int = 0`,
      ),
    )
    .limit(1)
  return row !== undefined
}

/**
 * Reminds the buyer of the end of a trial, and ends the trial of a locked order that was not paid: its access has ended by
 * itself. A payment that the bank has not decided is waited for.
 */
export async function followUpTrial(
  tx: Tx,
  order: OrderRow,
  { snapshot, lateDays, now }: { snapshot: OfferSnapshot; lateDays: number; now: Date },
): Promise<void> {
  if (lateDays < 0) {
    if (order.remindedAt !== null || -lateDays > Math.min(NOTICE_DAYS, snapshot.settings.trialDays / 2)) return
    await tx.update(salesOrder).set({ remindedAt: now }).where(eq(salesOrder.id, order.id))
    await remindBuyer(order, snapshot, 'trialEnding')
    await recordOrderEntry(tx, order, { kind: 'reminder', text: 'trialEnding' })
    return
  }
  const state = nextOrderState(order.state, 'cancel')
  const payments = await listPayments(tx, 'order', [order.id])
  if (!state || payments.some(({ status }) => status === 'pending' || status === 'subscribed')) return
  await tx.update(salesOrder).set({ state }).where(eq(salesOrder.id, order.id))
  await recordOrderEntry(tx, order, { kind: 'state', text: state })
  await remindBuyer(order, snapshot, 'trialEnded')
}
