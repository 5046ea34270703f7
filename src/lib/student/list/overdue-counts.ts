import { sql } from 'drizzle-orm'
import { inTenant } from '#lib/core/db/db.ts'

/**
 * Sets how many tasks each student of a tenant has overdue; those who are not named have none. Called by the homework
 * module, which knows the due dates. Returns how many students changed.
 */
export function setOverdueCounts(tenantId: string, counts: ReadonlyMap<string, number>): Promise<number> {
  const rows = [...counts].map(([id, tasks]) => ({ id, tasks }))
  return inTenant({ tenantId }, async (tx) => {
    const { rowCount } = await tx.execute(sql`
      with counted as (select id, tasks from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as c(id uuid, tasks int))
      update student s set overdue_count = coalesce((select c.tasks from counted c where c.id = s.id), 0)
      where s.tenant_id = current_tenant()
        and (s.id in (select id from counted) or s.overdue_count > 0)
        and s.overdue_count <> coalesce((select c.tasks from counted c where c.id = s.id), 0)`)
    return rowCount ?? 0
  })
}
