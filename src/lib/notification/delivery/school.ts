import { eq, sql } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { tenant } from '#lib/tenant/table.ts'
import type { EmailSchool } from '../compose.ts'

/** The school of the transaction, for the emails of its notifications. */
export async function loadEmailSchool(tx: Tx): Promise<EmailSchool | null> {
  const [school] = await tx
    .select({ tenantId: tenant.id, name: tenant.name, subdomain: tenant.subdomain })
    .from(tenant)
    .where(eq(tenant.id, sql`current_tenant()`))
  return school ?? null
}
