import { sql } from 'drizzle-orm'
import { inTenant } from '#lib/core/db/db.ts'
import { forEachItem } from '#lib/core/jobs/items.ts'
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
  const { rows: items } = await inTenant({ tenantId }, (tx) =>
    tx.execute<{ course_id: string; since: string }>(
      sql`select course_id, since::text from stale_progress where tenant_id = current_tenant() order by since`,
    ),
  )
  const idOf = ({ course_id }: (typeof items)[number]) => course_id
  return forEachItem({ job: 'student.refreshProgress', tenantId, items, idOf }, async ({ course_id, since }) => {
    await refreshCourse(tenantId, course_id)
    // A concurrent change has updated `since`: the next run processes the course again.
    await inTenant({ tenantId }, (tx) =>
      tx.execute(sql`delete from stale_progress where tenant_id = current_tenant() and course_id = ${course_id}
        and since = ${since}::timestamptz`),
    )
  })
}

async function refreshCourse(tenantId: string, courseId: string): Promise<void> {
  let after = '00000000-0000-0000-0000-000000000000'
  for (;;) {
    const last = await inTenant({ tenantId }, async (tx) => {
      const { rows } = await tx.execute<{ student_id: string }>(sql`select distinct student_id from access_grant
        where tenant_id = current_tenant() and course_id = ${courseId} and student_id > ${after}::uuid
        order by student_id limit ${BATCH}`)
      const ids = rows.map(({ student_id }) => student_id)
      await tx.execute(sql`select refresh_student_progress(${sql.param(ids)}::uuid[])`)
      return ids.at(-1)
    })
    if (!last) return
    after = last
  }
}
