import { sql } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import type { RecipientPlan } from './delivery/recipients.ts'
import type { NewNotification } from './new-notification.ts'

/** The row of the list of a member. */
export interface ListedNotification {
  id: string
  /** The causes of its group so far. */
  count: number
}

/** Adds the notification to the lists of members. Returns the row of each by the id of the member. */
export async function insertListed(
  tx: Tx,
  { kind, data, link, groupKey, total }: NewNotification,
  plans: readonly RecipientPlan[],
  now: Date,
): Promise<Map<string, ListedNotification>> {
  const listed = plans.filter(({ inApp }) => inApp !== 'none')
  if (listed.length === 0) return new Map()
  const members = listed.map(({ recipient }) => recipient.memberId)
  const ids = listed.map(() => newId())
  const silent = listed.map(({ inApp }) => inApp === 'silent')
  // In the order of the members, so that two transactions that notify the same members cannot deadlock.
  const { rows } = await tx.execute<{ id: string; member_id: string; count: number }>(sql`
    insert into notification (tenant_id, id, member_id, kind, data, link, group_key, count, read_at)
    select current_tenant(), r.id, r.member_id, ${kind}, ${JSON.stringify(data)}::jsonb, ${link},
      case when r.silent then null else ${groupKey ?? null}::text end, coalesce(${total ?? null}::int, 1),
      case when r.silent then ${now.toISOString()}::timestamptz end
    from unnest(${sql.param(ids)}::uuid[], ${sql.param(members)}::uuid[], ${sql.param(silent)}::boolean[])
      as r(id, member_id, silent)
    order by r.member_id
    on conflict (tenant_id, member_id, group_key) where group_key is not null do update set
      kind = excluded.kind, data = excluded.data, link = excluded.link, latest_at = excluded.latest_at,
      count = coalesce(${total ?? null}::int, notification.count + 1)
    returning id, member_id, count`)
  return new Map(rows.map(({ id, member_id, count }) => [member_id, { id, count }]))
}
