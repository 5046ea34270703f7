import { sql } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'

/** Removes name and email address of people from the lists of recipients, by the ids of their students or registrations. */
export async function eraseRecipients(tx: Tx, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await tx.execute(sql`update outgoing_recipient set name = '', email = id::text || '@deleted.invalid',
      reason = case when reason ~ '^[a-z_]+$' then reason end
    where tenant_id = current_tenant() and id = any(${sql.param(ids)}::uuid[])`)
}
