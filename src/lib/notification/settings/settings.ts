import { and, eq, exists, inArray, sql } from 'drizzle-orm'
import { config } from '#lib/core/config/config.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { membership } from '#lib/user/table.ts'
import { NOTIFICATION_TOPICS, type NotificationTopic, usedTopics } from '../kind-schema.ts'
import { pushSubscription } from '../push/table.ts'
import { telegramChat } from '../telegram/table.ts'
import { frequencyChoices } from './rules.ts'
import { DEFAULT_DAILY_CAP, type NotificationSettings, type SaveNotificationSettings } from './schema.ts'
import { notificationPreference, notificationSettings } from './table.ts'

/** The notification settings of the actor in this school. */
export function getNotificationSettings(actor: Actor): Promise<NotificationSettings> {
  return inTenant(actor, (tx) => loadSettings(tx, actor))
}

/** Replaces the notification settings of the actor. Refuses with invalid for a frequency that is not offered. */
export function saveNotificationSettings(actor: Actor, input: SaveNotificationSettings): Promise<void> {
  const isValid = input.preferences.every(({ topic, channel, frequency }) =>
    frequencyChoices(topic, channel).includes(frequency),
  )
  if (!isValid) throw new Refusal('invalid')
  return inTenant(actor, async (tx) => {
    const values = {
      quietFrom: input.quiet?.from ?? null,
      quietUntil: input.quiet?.until ?? null,
      dailyCap: input.dailyCap,
      changedAt: new Date(),
    }
    await tx
      .insert(notificationSettings)
      .values({ tenantId: actor.tenantId, memberId: actor.membershipId, ...values })
      .onConflictDoUpdate({ target: [notificationSettings.tenantId, notificationSettings.memberId], set: values })
    await storeChannels(tx, { tenantId: actor.tenantId, memberId: actor.membershipId }, input.preferences)
  })
}

interface Member {
  tenantId: string
  memberId: string
}

/** Stores choices of a member; those of other topics and channels stay. */
export async function storeChannels(
  tx: Tx,
  member: Member,
  preferences: SaveNotificationSettings['preferences'],
): Promise<void> {
  const unique = new Map(preferences.map((row) => [`${row.topic} ${row.channel}`, row]))
  if (unique.size === 0) return
  await tx
    .insert(notificationPreference)
    .values([...unique.values()].map((row) => ({ ...member, ...row })))
    .onConflictDoUpdate({
      target: [
        notificationPreference.tenantId,
        notificationPreference.memberId,
        notificationPreference.topic,
        notificationPreference.channel,
      ],
      set: { frequency: sql`excluded.frequency`, changedAt: new Date() },
    })
}

/** The topics that a person of these roles can be notified about. */
export function topicsOf({ accountType, roles }: Pick<Actor, 'accountType' | 'roles'>): NotificationTopic[] {
  const isStudent = accountType === 'ACCOUNT_TYPE_STUDENT'
  const isManager = roles.includes('OWNER') || roles.includes('DIRECTOR')
  return usedTopics().filter((topic) => {
    const { audience } = NOTIFICATION_TOPICS[topic]
    if (audience === 'everyone') return true
    if (audience === 'student') return isStudent
    return audience === 'staff' ? !isStudent : isManager
  })
}

async function loadSettings(tx: Tx, { tenantId, membershipId }: Actor): Promise<NotificationSettings> {
  const isOwn = and(eq(pushSubscription.tenantId, tenantId), eq(pushSubscription.memberId, membershipId))
  const [preferences, [row]] = await Promise.all([
    loadPreferences(tx, { tenantId, memberId: membershipId }),
    tx
      .select({
        quietFrom: notificationSettings.quietFrom,
        quietUntil: notificationSettings.quietUntil,
        dailyCap: notificationSettings.dailyCap,
        hasPush: exists(tx.select({ one: sql`1` }).from(pushSubscription).where(isOwn)),
        telegramName: telegramChat.name,
        telegramBlockedAt: telegramChat.blockedAt,
      })
      .from(membership)
      .leftJoin(
        notificationSettings,
        and(eq(notificationSettings.tenantId, membership.tenantId), eq(notificationSettings.memberId, membership.id)),
      )
      .leftJoin(
        telegramChat,
        and(eq(telegramChat.tenantId, membership.tenantId), eq(telegramChat.memberId, membership.id)),
      )
      .where(and(eq(membership.tenantId, tenantId), eq(membership.id, membershipId))),
  ])
  const telegramName = row?.telegramName ?? null
  const isBlocked = Boolean(row?.telegramBlockedAt)
  return {
    preferences,
    quiet: row?.quietFrom && row.quietUntil ? { from: row.quietFrom, until: row.quietUntil } : null,
    dailyCap: row?.dailyCap ?? DEFAULT_DAILY_CAP,
    hasPush: row?.hasPush === true,
    hasTelegram: telegramName !== null && !isBlocked,
    telegram: { isAvailable: config.telegram !== null, name: telegramName, isBlocked },
  }
}

/** Those of the members who turned off the emails of a topic: for modules whose emails have a time of their own. */
export async function listEmailOptOuts(
  tx: Tx,
  topic: NotificationTopic,
  memberIds: readonly string[],
): Promise<Set<string>> {
  if (memberIds.length === 0) return new Set()
  const rows = await tx
    .select({ memberId: notificationPreference.memberId })
    .from(notificationPreference)
    .where(
      and(
        eq(notificationPreference.tenantId, sql`current_tenant()`),
        eq(notificationPreference.topic, topic),
        eq(notificationPreference.channel, 'email'),
        eq(notificationPreference.frequency, 'off'),
        inArray(notificationPreference.memberId, [...memberIds]),
      ),
    )
  return new Set(rows.map(({ memberId }) => memberId))
}

/** The choices of a member, without topics that do not exist any more. */
export async function loadPreferences(
  tx: Tx,
  { tenantId, memberId }: Member,
): Promise<NotificationSettings['preferences']> {
  return tx
    .select({
      topic: notificationPreference.topic,
      channel: notificationPreference.channel,
      frequency: notificationPreference.frequency,
    })
    .from(notificationPreference)
    .where(
      and(
        eq(notificationPreference.tenantId, tenantId),
        eq(notificationPreference.memberId, memberId),
        inArray(notificationPreference.topic, usedTopics()),
      ),
    )
}
