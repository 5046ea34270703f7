import { eq, gt, sql } from 'drizzle-orm'
import { inTenant } from '#lib/core/db/db.ts'
import { forEachItem } from '#lib/core/jobs/items.ts'
import { forEachTenant } from '#lib/core/jobs/tenants.ts'
import { workshopSession } from '#lib/workshop/table.ts'
import { countSession } from './count-session.ts'
import { sessionRollup } from './table.ts'

/** Counts new log entries of all tenants, so that pages have few left to count. */
export async function countAllSessions(): Promise<void> {
  await forEachTenant({ job: 'statistics.roll', dueSql: UNCOUNTED_SQL, now: new Date() }, async (tenantId) => {
    const behind = await inTenant({ tenantId }, (tx) =>
      tx
        .select({ id: workshopSession.id })
        .from(workshopSession)
        .leftJoin(sessionRollup, eq(sessionRollup.sessionId, workshopSession.id))
        .where(gt(workshopSession.nextSeq, sql`coalesce(${sessionRollup.countedSeq}, 0) + 1`)),
    )
    const task = { job: 'statistics.roll', tenantId, items: behind, idOf: ({ id }: { id: string }) => id }
    return forEachItem(task, async ({ id }) => void (await countSession({ tenantId, id })))
  })
}

const UNCOUNTED_SQL = `select 1 from workshop_session s
  left join session_rollup r on r.tenant_id = s.tenant_id and r.session_id = s.id
  where s.next_seq > coalesce(r.counted_seq, 0) + 1`
