import { sql } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'

/**
 * Adds one email of a local day to the count of each member, and returns the counts after it. The rows are locked until
 * the commit, so that concurrent notifications count exactly.
 */
export async function countEmails(
  tx: Tx,
  emails: readonly { memberId: string; day: string }[],
): Promise<Map<string, number>> {
  const members = emails.map(({ memberId }) => memberId)
  const days = emails.map(({ day }) => day)
  const { rows } = await tx.execute<{ member_id: string; count: number }>(sql`
    insert into notification_email_count (tenant_id, member_id, day, count)
    select current_tenant(), r.member_id, r.day, 1
    from unnest(${sql.param(members)}::uuid[], ${sql.param(days)}::text[]) as r(member_id, day) order by r.member_id
    on conflict (tenant_id, member_id, day) do update set count = notification_email_count.count + 1
    returning member_id, count`)
  return new Map(rows.map(({ member_id, count }) => [member_id, count]))
}
