import { sql } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import type { RecipientPlan } from './delivery/recipients.ts'
import { type NewNotification, totalFor } from './new-notification.ts'

/** The row of the list of a member. */
export interface ListedNotification {
  id: string
  /** The causes of its group so far. */
  count: number
}

/** Adds the notification to the lists of members. Returns the row of each by the id of the member. */
export async function insertListed(
  tx: Tx,
  added: NewNotification,
  plans: readonly RecipientPlan[],
  now: Date,
): Promise<Map<string, ListedNotification>> {
  const { kind, data, link, groupKey } = added
  const listed = plans.filter(({ inApp }) => inApp !== 'none')
  if (listed.length === 0) return new Map()
  const members = listed.map(({ recipient }) => recipient.memberId)
  const ids = listed.map(() => newId())
  const totals = members.map((memberId) => totalFor(added, memberId) ?? null)
  const silent = listed.map(({ inApp }) => inApp === 'silent')
  // In the order of the members, so that two transactions that notify the same members cannot deadlock.
  const { rows } = await tx.execute<{ id: string; member_id: string; count: number }>(sql`
    insert into notification (tenant_id, id, member_id, kind, data, link, group_key, count, read_at)
    select current_tenant(), r.id, r.member_id, ${kind}, ${JSON.stringify(data)}::jsonb, ${link},
      case when r.silent then null else ${groupKey ?? null}::text end, coalesce(r.total, 1),
      case when r.silent then ${now.toISOString()}::timestamptz end
    from unnest(${sql.param(ids)}::uuid[], ${sql.param(members)}::uuid[], ${sql.param(silent)}::boolean[],
      ${sql.param(totals)}::int[]) as r(id, member_id, silent, total)
    order by r.member_id
    on conflict (tenant_id, member_id, group_key) where group_key is not null do update set
      kind = excluded.kind, data = excluded.data, link = excluded.link, latest_at = excluded.latest_at,
      count = case when ${totals.some((total) => total !== null)} then excluded.count else notification.count + 1 end
    returning id, member_id, count`)
  return new Map(rows.map(({ id, member_id, count }) => [member_id, { id, count }]))
}

/** The unread rows of a group, for a cause that is listed already: what was read is not sent later. */
export async function findListed(
  tx: Tx,
  groupKey: string,
  plans: readonly RecipientPlan[],
): Promise<Map<string, ListedNotification>> {
  const members = plans.map(({ recipient }) => recipient.memberId)
  const { rows } = await tx.execute<{ id: string; member_id: string; count: number }>(sql`
    select id, member_id, count from notification where tenant_id = current_tenant() and group_key = ${groupKey}
      and member_id = any(${sql.param(members)}::uuid[]) and read_at is null and archived_at is null`)
  return new Map(rows.map(({ id, member_id, count }) => [member_id, { id, count }]))
}
