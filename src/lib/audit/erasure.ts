import { sql } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'

/**
 * Removes the personal data of a person from the entries of the transaction's tenant: the name, the changed values of
 * entries about the person except for the access to courses, the address of the person's own requests, and the email
 * address in entries about links that did not admit the person. The action, its author and its time are kept. The table is
 * append-only otherwise: its trigger permits these changes for the person in `app.erased_member` and `app.erased_email`.
 */
export async function eraseAuditEntries(
  tx: Tx,
  { memberId, email }: { memberId: string; email: string },
): Promise<void> {
  await nameErased(tx, memberId, email)
  await tx.execute(sql`
    update audit_entry set
      object_name = case when object_id = ${memberId} then '' else object_name end,
      before = case when object_id = ${memberId} and action <> 'student.access_changed' then null else before end,
      after = case when object_id = ${memberId} and action <> 'student.access_changed' then null else after end,
      address = case when actor_id = ${memberId} then null else address end
    where tenant_id = current_tenant() and (object_id = ${memberId} or actor_id = ${memberId})`)
  await tx.execute(sql`
    update audit_entry set object_name = '', address = null
    where tenant_id = current_tenant() and action in ('invitation_link.failed', 'invitation_link.used')
      and object_name = ${email}`)
  await nameErased(tx, '', '')
}

function nameErased(tx: Tx, memberId: string, email: string) {
  return tx.execute(sql`select set_config('app.erased_member', ${memberId}, true),
    set_config('app.erased_email', ${email}, true)`)
}
