import { sql } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import type { NotificationData, NotificationKind } from './schema.ts'

export interface NewNotification {
  kind: NotificationKind
  memberIds: readonly string[]
  /** Identifies the cause: a second notification of a member with the same key is dropped. */
  key: string
  data: NotificationData
  /** Path of the page that shows what it is about. */
  link: string
  /** Unread notifications with the same group key become one, with the number of causes. */
  groupKey?: string
  /** The number of causes in the group so far; without it, one more than before. */
  total?: number
}

/**
 * Notifies members in the transaction of the cause, so that they are notified if and only if it is committed. Members who
 * are blocked or belong to another tenant are skipped.
 * @param tx the transaction of the tenant in which the cause is stored
 */
export async function notify(tx: Tx, added: NewNotification): Promise<void> {
  const { kind, memberIds, key, data, link, groupKey = null, total = null } = added
  const members = [...new Set(memberIds)].sort()
  if (members.length === 0) return
  const ids = members.map(() => newId())
  // In the order of the ids, so that two transactions that notify the same members cannot deadlock.
  await tx.execute(sql`
    with recipient as (
      select r.member_id, r.id from unnest(${sql.param(members)}::uuid[], ${sql.param(ids)}::uuid[]) as r(member_id, id)
        join membership m on m.tenant_id = current_tenant() and m.id = r.member_id and m.blocked_at is null
      order by r.member_id),
    fresh as (
      insert into notification_cause (tenant_id, member_id, key)
      select current_tenant(), member_id, ${key} from recipient
      on conflict do nothing returning member_id)
    insert into notification (tenant_id, id, member_id, kind, data, link, group_key, count)
    select current_tenant(), recipient.id, member_id, ${kind}, ${JSON.stringify(data)}::jsonb, ${link}, ${groupKey},
      coalesce(${total}::int, 1)
    from fresh join recipient using (member_id) order by member_id
    on conflict (tenant_id, member_id, group_key) where group_key is not null do update set
      kind = excluded.kind, data = excluded.data, link = excluded.link, latest_at = excluded.latest_at,
      count = coalesce(${total}::int, notification.count + 1)`)
}
