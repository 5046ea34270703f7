import { and, eq } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import { formRefusal, Refusal } from '#lib/core/http/refusal.ts'
import { countAttempt } from '#lib/core/http/throttle.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { parseStored } from '#lib/core/shared/parse-stored.ts'
import { DAY_SECONDS } from '#lib/core/shared/time.ts'
import { listReceiptsOf, registerReceipts, repeatReceipt } from '#lib/payment/fiscal/receipts.ts'
import { replaceInvitation } from '#lib/student/invitation.ts'
import { getTenant } from '#lib/tenant/tenant.ts'
import { membership } from '#lib/user/table.ts'
import { lockOrder } from '../apply-payment.ts'
import { emailBuyer, emailReceipt } from '../emails.ts'
import { recordOrderEntry } from '../entries.ts'
import type { OrderReceiptId, ResendEmail } from '../order-schema.ts'
import type { OrderRow } from '../pay-order.ts'
import { requireOrderManager } from '../permission.ts'
import { isResendable } from '../rules.ts'
import { OfferSnapshot } from '../schema.ts'

/** Emails about one order that staff may send again in a day. */
const RESENDS = { limit: 10, windowSeconds: DAY_SECONDS }

/**
 * Sends an email of an order again: the confirmation or the fiscal receipt to the buyer, or the invitation to the person
 * who gets the access. Refuses with forbidden, plan_inactive, not_found, too_many, unprocessable (resend_not_paid,
 * resend_no_receipt, resend_accepted).
 */
export async function resendOrderEmail(actor: Actor, { orderId, email }: ResendEmail): Promise<void> {
  requireOrderManager(actor)
  await countAttempt(`order-resend:${actor.tenantId} ${orderId}`, RESENDS)
  await inTenant(actor, async (tx) => {
    const order = await lockOrder(tx, orderId)
    if (!order) throw new Refusal('not_found')
    await SENDERS[email](tx, order, actor.membershipId)
    await recordOrderEntry(tx, order, { kind: 'email', text: email, by: actor.membershipId })
  })
}

/** Registers a refused receipt of an order again. Refuses with forbidden, plan_inactive, not_found. */
export async function repeatOrderReceipt(actor: Actor, { orderId, receiptId }: OrderReceiptId): Promise<void> {
  requireOrderManager(actor)
  await inTenant(actor, async (tx) => {
    const receipts = await listReceiptsOf(tx, 'order', [orderId])
    if (!receipts.some(({ id }) => id === receiptId)) throw new Refusal('not_found')
    await repeatReceipt(tx, receiptId)
  })
}

/** Registers fiscal receipts that are due, and emails them to the buyers. Periodic; returns how many were sent. */
export const registerOrderReceipts = (now = new Date()): Promise<number> =>
  registerReceipts(async (tx, { receipt, purposeId }) => {
    const order = await lockOrder(tx, purposeId)
    if (order) await emailReceipt(order, snapshotOf(order), { ...receipt, about: receipt.id })
  }, now)

const SENDERS: Record<ResendEmail['email'], (tx: Tx, order: OrderRow, by: string) => Promise<void>> = {
  confirmation: resendConfirmation,
  invitation: resendInvitation,
  receipt: resendReceipts,
}

async function resendConfirmation(tx: Tx, order: OrderRow): Promise<void> {
  if (!isResendable(order)) throw formRefusal('resend_not_paid')
  const isInvited = (await findInvited(tx, order)) !== null
  const amount = order.paidAmount
  await emailBuyer(tx, order, snapshotOf(order), { isFirst: true, isInvited, amount, about: newId() })
}

async function resendInvitation(tx: Tx, order: OrderRow, invitedBy: string): Promise<void> {
  const studentId = await findInvited(tx, order)
  if (!studentId) throw formRefusal('resend_accepted')
  await replaceInvitation(tx, await getTenant(order.tenantId), {
    studentId,
    invitedBy,
    email: order.recipientEmail ?? order.email,
    locale: order.locale,
    course: snapshotOf(order).course,
    message: order.giftMessage || undefined,
  })
}

async function resendReceipts(tx: Tx, order: OrderRow): Promise<void> {
  const receipts = (await listReceiptsOf(tx, 'order', [order.id])).filter(({ state }) => state === 'done')
  if (receipts.length === 0) throw formRefusal('resend_no_receipt')
  for (const receipt of receipts) await emailReceipt(order, snapshotOf(order), { ...receipt, about: newId() })
}

/** The student of an order who has not accepted the invitation, or null. */
async function findInvited(tx: Tx, { studentId }: OrderRow): Promise<string | null> {
  if (!studentId) return null
  const [invited] = await tx
    .select({ id: membership.id })
    .from(membership)
    .where(and(eq(membership.id, studentId), eq(membership.status, 'invited')))
  return invited?.id ?? null
}

const snapshotOf = (order: OrderRow): OfferSnapshot => parseStored(OfferSnapshot, order.snapshot)
