import { sql } from 'drizzle-orm'
import { inTenant } from '#lib/core/db/db.ts'
import { forEachTenant } from '#lib/core/jobs/tenants.ts'
import { DAY_MS } from '#lib/core/shared/time.ts'

/** Automatic revisions are all kept for this time; of older ones the last of each day. */
const DENSE_DAYS = 30

/**
 * Deletes superseded automatic revisions of all tenants; named, published and restored ones stay. Returns the number
 * deleted.
 */
export async function thinRevisions(now = new Date()): Promise<number> {
  const before = new Date(now.getTime() - DENSE_DAYS * DAY_MS)
  const due = `select 1 from lesson_revision r where r.at < $1 and ${SUPERSEDED}`
  return forEachTenant({ job: 'course.thinRevisions', dueSql: due, now: before }, async (tenantId) => {
    const { rowCount } = await inTenant({ tenantId }, (tx) =>
      tx.execute(
        sql`delete from lesson_revision r where r.at < ${before.toISOString()}::timestamptz and ${sql.raw(SUPERSEDED)}`,
      ),
    )
    return rowCount ?? 0
  })
}

const SUPERSEDED = `r.kind = 'auto' and exists (
  select 1 from lesson_revision later
    where later.lesson_id = r.lesson_id and later.kind = 'auto' and later.version > r.version
      and date_trunc('day', later.at) = date_trunc('day', r.at))`
