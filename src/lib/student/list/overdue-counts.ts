import { sql } from 'drizzle-orm'
import { inTenant } from '#lib/core/db/db.ts'

/**
 * Sets the number of overdue tasks of each student of a tenant; 0 for students who are not listed. Students with access to
 * a course of `unknownCourses`, which could not be counted, keep their number. Called by the
 * homework module, which computes the due dates. Returns the number of students that changed.
 */
export function setOverdueCounts(
  tenantId: string,
  counts: ReadonlyMap<string, number>,
  unknownCourses: readonly string[] = [],
): Promise<number> {
  const rows = [...counts].map(([id, tasks]) => ({ id, tasks }))
  return inTenant({ tenantId }, async (tx) => {
    const { rowCount } = await tx.execute(sql`
      with counted as (select id, tasks from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as c(id uuid, tasks int))
      update student s set overdue_count = coalesce((select c.tasks from counted c where c.id = s.id), 0)
      where s.tenant_id = current_tenant()
        and not exists (select 1 from enrolled_grants() a where a.student_id = s.id
          and a.course_id = any(${sql.param([...unknownCourses])}::uuid[]))
        and (s.id in (select id from counted) or s.overdue_count > 0)
        and s.overdue_count <> coalesce((select c.tasks from counted c where c.id = s.id), 0)`)
    return rowCount ?? 0
  })
}
