import { sql } from 'drizzle-orm'
import { inTenant } from '#lib/core/db/db.ts'
import { forEachTenant } from '#lib/core/jobs/tenants.ts'

/** A raw body is needed for a replay and for a dispute with the bank, which can be opened for half a year. */
const BODY_DAYS = 190
/** Rejected reports that belong to no payment. */
const REJECTED_DAYS = 30
const BATCH = 5000

/**
 * Removes the raw bodies of old reports of providers, which contain personal data; their statuses stay in the timeline.
 * Deletes old reports that belong to no payment. Periodic; returns how many reports were changed.
 */
export function removeOldCallbacks(now = new Date()): Promise<number> {
  const dueSql = `select 1 from payment_callback where
    (body <> '' and received_at < $1::timestamptz - interval '${BODY_DAYS} days')
    or (payment_id is null and received_at < $1::timestamptz - interval '${REJECTED_DAYS} days') limit 1`
  return forEachTenant({ job: 'payment.removeOldCallbacks', dueSql, now }, async (tenantId) =>
    inTenant({ tenantId }, async (tx) => {
      const before = (days: number) => sql`${now.toISOString()}::timestamptz - ${`${days} days`}::interval`
      const deleted = await tx.execute(sql`delete from payment_callback where tenant_id = current_tenant() and id in (
        select id from payment_callback where tenant_id = current_tenant() and payment_id is null
          and received_at < ${before(REJECTED_DAYS)} limit ${BATCH})`)
      const emptied = await tx.execute(sql`update payment_callback set body = '', headers = '{}'
        where tenant_id = current_tenant() and id in (select id from payment_callback
          where tenant_id = current_tenant() and body <> '' and received_at < ${before(BODY_DAYS)} limit ${BATCH})`)
      return (deleted.rowCount ?? 0) + (emptied.rowCount ?? 0)
    }),
  )
}
