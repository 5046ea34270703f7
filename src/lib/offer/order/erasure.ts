import { sql } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { erasePayers } from '#lib/payment/erasure.ts'
import type { ErasedPerson } from '#lib/student/card/section.ts'

/**
 * Removes the personal data of a person from the orders of the school, as buyer, including orders as a guest, and as
 * the recipient of a gift. Numbers, amounts and dates are kept for the accounts.
 */
export async function eraseOrders(tx: Tx, { studentId, email }: ErasedPerson): Promise<void> {
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
  await tx.execute(sql`
    update sales_order set recipient_name = '', recipient_email = id::text || '@deleted.invalid', gift_message = ''
    where tenant_id = current_tenant() and recipient_email = ${email}`)
}
