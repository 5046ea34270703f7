import { sql } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'

/**
 * Removes the personal data of a person from the entries of the transaction's tenant: the name, the changed values of
 * entries about the person except for the access to courses, and the address of the person's own requests. The action,
 * its author and its time are kept. The table is append-only otherwise: its trigger permits these changes for the
 * member in `app.erased_member`.
 */
export async function eraseAuditEntries(tx: Tx, memberId: string): Promise<void> {
  await tx.execute(sql`select set_config('app.erased_member', ${memberId}, true)`)
  await tx.execute(sql`
    update audit_entry set
      object_name = case when object_id = ${memberId} then '' else object_name end,
      before = case when object_id = ${memberId} and action <> 'student.access_changed' then null else before end,
      after = case when object_id = ${memberId} and action <> 'student.access_changed' then null else after end,
      address = case when actor_id = ${memberId} then null else address end
    where tenant_id = current_tenant() and (object_id = ${memberId} or actor_id = ${memberId})`)
  await tx.execute(sql`select set_config('app.erased_member', '', true)`)
}
