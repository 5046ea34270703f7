import { eq, or, sql } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { parseStored } from '#lib/core/shared/parse-stored.ts'
import { erasePayers } from '#lib/payment/erasure.ts'
import { lockPayments } from '#lib/payment/payment.ts'
import type { ErasedPerson } from '#lib/student/card/section.ts'
import { closeSubscription, planUnneededEnd } from '../subscription/state.ts'
import { remindBuyer } from './emails.ts'
import { isCancelable } from './rules.ts'
import { OfferSnapshot } from './schema.ts'
import { salesOrder } from './table.ts'

/**
 * Removes the personal data of a person from the orders of the school, as buyer, including orders as a guest, and as
 * the recipient of a gift. Numbers, amounts and dates are kept for the accounts. Nobody is charged any more for the person.
 */
export async function eraseOrders(tx: Tx, person: ErasedPerson): Promise<void> {
  const { studentId, email } = person
  await endSubscriptionsOf(tx, person)
  const { rows } = await tx.execute<{ id: string }>(sql`
    with erased as (
      update sales_order set buyer_name = '', email = id::text || '@deleted.invalid', phone = '', answers = '[]',
        source = '{}', gift_message = ''
      where tenant_id = current_tenant() and (email = ${email} or (student_id = ${studentId} and recipient_email is null))
      returning id),
    notes as (
      update order_entry set text = '' where tenant_id = current_tenant() and kind = 'note'
        and order_id in (select id from erased))
    select id from erased`)
  await erasePayers(
    tx,
    'order',
    rows.map(({ id }) => id),
  )
  await tx.execute(sql`delete from refused_sale where tenant_id = current_tenant() and email = ${email}`)
  await tx.execute(sql`
    update sales_order set recipient_name = '', recipient_email = id::text || '@deleted.invalid', gift_message = ''
    where tenant_id = current_tenant() and recipient_email = ${email}`)
}

/** Cancels what the person has subscribed to, or was given; a job ends it at the providers. The giver of a gift is notified. */
async function endSubscriptionsOf(tx: Tx, { studentId, email }: ErasedPerson): Promise<void> {
  const isOfPerson = or(
    eq(salesOrder.email, email),
    eq(salesOrder.recipientEmail, email),
    eq(salesOrder.studentId, studentId),
  )
  const ids = await tx.select({ id: salesOrder.id }).from(salesOrder).where(isOfPerson)
  // Payments are locked before their order.
  await lockPayments(
    tx,
    'order',
    ids.map(({ id }) => id),
  )
  const orders = await tx.select().from(salesOrder).where(isOfPerson).orderBy(salesOrder.id).for('update')
  for (const order of orders) {
    if (!isCancelable(order) || !(await closeSubscription(tx, order))) continue
    await planUnneededEnd(order)
    const isByAnother = order.recipientEmail !== null && order.email !== email
    if (isByAnother) await remindBuyer(order, parseStored(OfferSnapshot, order.snapshot), 'subscriptionEnded')
  }
}
