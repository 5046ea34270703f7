import { sql } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import type { Locale } from '#lib/core/shared/locale.ts'
import type { AccountType } from '#lib/core/shared/role.ts'
import type { NotificationChannel, NotificationFrequency, NotificationTopic } from '../kind-schema.ts'
import type { DeliveryPlan, OutgoingChannel } from '../settings/rules.ts'
import { DEFAULT_DAILY_CAP, type MuteSubject, type QuietTime } from '../settings/schema.ts'

/** A member who is notified, with the settings that apply. */
export interface NotifiedMember {
  memberId: string
  accountType: AccountType
  email: string
  firstName: string
  locale: Locale
  timeZone: string
  chosen: Partial<Record<NotificationChannel, NotificationFrequency>>
  quiet: QuietTime | null
  dailyCap: number
  isMuted: boolean
  reachable: OutgoingChannel[]
}

/** A member with what is planned for them. */
export interface RecipientPlan extends DeliveryPlan {
  recipient: NotifiedMember
}

interface CauseRow extends Record<string, unknown> {
  member_id: string
  account_type: AccountType
  email: string
  first_name: string
  locale: Locale
  time_zone: string
  chosen: NotifiedMember['chosen'] | null
  quiet_from: string | null
  quiet_until: string | null
  daily_cap: number | null
  is_muted: boolean
  has_push: boolean
  has_telegram: boolean
}

interface NewCause {
  members: readonly string[]
  key: string
  topic: NotificationTopic
  subjects?: readonly MuteSubject[]
  now: Date
}

/** Stores a cause for members, and returns those for whom it is new. */
export async function addCauses(
  tx: Tx,
  { members, key, topic, subjects = [], now }: NewCause,
): Promise<NotifiedMember[]> {
  // In the order of the ids, so that two transactions that notify the same members cannot deadlock.
  const { rows } = await tx.execute<CauseRow>(sql`
    with recipient as (
      select m.id, m.user_id, m.account_type from membership m
      where m.tenant_id = current_tenant() and m.id = any(${sql.param(members)}::uuid[]) and m.blocked_at is null
      order by m.id),
    fresh as (
      insert into notification_cause (tenant_id, member_id, key)
      select current_tenant(), id, ${key} from recipient on conflict do nothing returning member_id)
    select r.id as member_id, r.account_type, u.email, u.first_name, u.locale, u.time_zone,
      s.quiet_from, s.quiet_until, s.daily_cap,
      (select jsonb_object_agg(p.channel, p.frequency) from notification_preference p
        where p.tenant_id = current_tenant() and p.member_id = r.id and p.topic = ${topic}) as chosen,
      exists (select from notification_mute x
        join unnest(${sql.param(subjects.map(({ type }) => type))}::text[],
          ${sql.param(subjects.map(({ id }) => id))}::uuid[]) as muted(type, id)
          on muted.type = x.subject_type and muted.id = x.subject_id
        where x.tenant_id = current_tenant() and x.member_id = r.id
          and (x.until is null or x.until > ${now.toISOString()}::timestamptz)) as is_muted,
      exists (select from push_subscription b where b.tenant_id = current_tenant() and b.member_id = r.id) as has_push,
      exists (select from telegram_chat c where c.tenant_id = current_tenant() and c.member_id = r.id
        and c.blocked_at is null) as has_telegram
    from fresh f join recipient r on r.id = f.member_id join "user" u on u.id = r.user_id
    left join notification_settings s on s.tenant_id = current_tenant() and s.member_id = r.id
    order by r.id`)
  return rows.map(toRecipient)
}

function toRecipient(row: CauseRow): NotifiedMember {
  const { quiet_from: from, quiet_until: until } = row
  const reachable: OutgoingChannel[] = ['email']
  if (row.has_push) reachable.push('push')
  if (row.has_telegram) reachable.push('telegram')
  return {
    memberId: row.member_id,
    accountType: row.account_type,
    email: row.email,
    firstName: row.first_name,
    locale: row.locale,
    timeZone: row.time_zone,
    chosen: row.chosen ?? {},
    quiet: from && until ? { from, until } : null,
    dailyCap: row.daily_cap ?? DEFAULT_DAILY_CAP,
    isMuted: row.is_muted,
    reachable,
  }
}
