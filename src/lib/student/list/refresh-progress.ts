import { sql } from 'drizzle-orm'
import { inTenant } from '#lib/core/db/db.ts'
import { forEachTenant } from '#lib/core/jobs/tenants.ts'

const BATCH = 1000

/**
 * Computes the progress of the students of courses whose lessons have changed, in batches of 1,000. Periodic; returns the
 * number of courses.
 */
export function refreshStaleProgress(now = new Date()): Promise<number> {
  return forEachTenant({ job: 'student.refreshProgress', dueSql: 'select 1 from stale_progress', now }, refreshTenant)
}

async function refreshTenant(tenantId: string): Promise<number> {
  let courses = 0
  for (;;) {
    const { rows } = await inTenant({ tenantId }, (tx) =>
      tx.execute<{ course_id: string; since: string }>(
        sql`select course_id, since::text from stale_progress where tenant_id = current_tenant() order by since limit 1`,
      ),
    )
    const [stale] = rows
    if (!stale) return courses
    await refreshCourse(tenantId, stale.course_id)
    // A change that came meanwhile has moved `since`: the course is read once more then.
    await inTenant({ tenantId }, (tx) =>
      tx.execute(sql`delete from stale_progress where tenant_id = current_tenant() and course_id = ${stale.course_id}
        and since = ${stale.since}::timestamptz`),
    )
    courses += 1
  }
}

async function refreshCourse(tenantId: string, courseId: string): Promise<void> {
  let after = '00000000-0000-0000-0000-000000000000'
  for (;;) {
    const { rows } = await inTenant({ tenantId }, (tx) =>
      tx.execute<{ last: string | null; students: number }>(sql`
        with batch as (
          select distinct student_id from access_grant
           where tenant_id = current_tenant() and course_id = ${courseId} and student_id > ${after}::uuid
           order by student_id limit ${BATCH}),
        refreshed as materialized (select refresh_student_progress(array(select student_id from batch)))
        select (select student_id::text from batch order by student_id desc limit 1) as last, count(*)::int as students
        from refreshed`),
    )
    const last = rows[0]?.last
    if (!last) return
    after = last
  }
}
