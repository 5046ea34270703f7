import { type SQL, sql } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { forEachTenant } from '#lib/core/jobs/tenants.ts'
import { DAY_MS } from '#lib/core/shared/time.ts'

/** A notification is deleted this long after the last change of its group. */
const KEPT_DAYS = 365

/** Deletes old notifications, and the causes of that time. Runs every night; returns the number of notifications. */
export function purgeNotifications(now = new Date()): Promise<number> {
  const before = new Date(now.getTime() - KEPT_DAYS * DAY_MS).toISOString()
  const dueSql = `select 1 from notification_cause s where s.created_at < $1 - interval '${KEPT_DAYS} days'`
  return forEachTenant({ job: 'notification.purge', dueSql, now }, (tenantId) =>
    inTenant({ tenantId }, async (tx) => {
      const isOld = (column: SQL) => sql`tenant_id = current_tenant() and ${column} < ${before}`
      const { rowCount } = await tx.execute(sql`delete from notification where ${isOld(sql`latest_at`)}`)
      await tx.execute(sql`delete from notification_cause where ${isOld(sql`created_at`)}`)
      return rowCount ?? 0
    }),
  )
}

/** Deletes the notifications of a member whose personal data is erased. */
export async function eraseNotifications(tx: Tx, memberId: string): Promise<void> {
  const isOfMember = sql`tenant_id = current_tenant() and member_id = ${memberId}`
  await tx.execute(sql`delete from notification where ${isOfMember}`)
  await tx.execute(sql`delete from notification_cause where ${isOfMember}`)
}
