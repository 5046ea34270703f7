import { type SQL, sql } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { forEachTenant } from '#lib/core/jobs/tenants.ts'
import { DAY_MS } from '#lib/core/shared/time.ts'

/** A notification is deleted this long after the last change of its group. */
const RETENTION_DAYS = 365

/** Deletes old notifications, and the causes of that time. Runs every night; returns the number of notifications. */
export function purgeNotifications(now = new Date()): Promise<number> {
  const before = new Date(now.getTime() - RETENTION_DAYS * DAY_MS).toISOString()
  const dueSql = `select 1 from notification_cause s where s.created_at < $1 - interval '${RETENTION_DAYS} days'`
  return forEachTenant({ job: 'notification.purge', dueSql, now }, (tenantId) =>
    inTenant({ tenantId }, async (tx) => {
      const isOld = (column: SQL) => sql`tenant_id = current_tenant() and ${column} < ${before}`
      const { rowCount } = await tx.execute(sql`delete from notification where ${isOld(sql`latest_at`)}`)
      for (const table of ['notification_cause', 'notification_delivery', 'notification_email_count'])
        await tx.execute(sql`delete from ${sql.identifier(table)} where ${isOld(sql`created_at`)}`)
      return rowCount ?? 0
    }),
  )
}

/** Deletes the notifications, settings and connected devices of a member whose personal data is erased. */
export async function eraseNotifications(tx: Tx, memberId: string): Promise<void> {
  for (const table of TABLES)
    await tx.execute(sql`delete from ${sql.identifier(table)}
      where tenant_id = current_tenant() and member_id = ${memberId}`)
}

const TABLES = [
  'notification',
  'notification_cause',
  'notification_delivery',
  'notification_preference',
  'notification_settings',
  'notification_mute',
  'notification_email_count',
  'push_subscription',
  'telegram_chat',
  'telegram_code',
]
