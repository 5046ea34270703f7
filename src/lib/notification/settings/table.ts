import { index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { enumChecks, lengthCheck, rangeCheck } from '../../core/db/checks.ts'
import { createdAt, instant, tenantId } from '../../core/db/columns.ts'
import { tenant } from '../../tenant/table.ts'
import { memberKey } from '../../user/table.ts'
import { NOTIFICATION_CHANNELS, NOTIFICATION_FREQUENCIES, type NotificationTopic } from '../kind-schema.ts'
import { DEFAULT_DAILY_CAP, MAX_DAILY_CAP, MUTE_SUBJECTS } from './schema.ts'

/** What a member has chosen; topics without a row have their default. Only the member changes it. */
export const notificationPreference = pgTable(
  'notification_preference',
  {
    tenantId: tenantId().references(() => tenant.id),
    memberId: uuid().notNull(),
    // A name of the registry, which is not in the database.
    topic: text().$type<NotificationTopic>().notNull(),
    channel: text({ enum: NOTIFICATION_CHANNELS }).notNull(),
    frequency: text({ enum: NOTIFICATION_FREQUENCIES }).notNull(),
    changedAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.memberId, table.topic, table.channel] }),
    memberKey('notification_preference_member', [table.tenantId, table.memberId]),
    ...enumChecks(table),
    lengthCheck(table.topic, 60),
  ],
)

export const notificationSettings = pgTable(
  'notification_settings',
  {
    tenantId: tenantId().references(() => tenant.id),
    memberId: uuid().notNull(),
    // Local times, `22:00`; both or none.
    quietFrom: text(),
    quietUntil: text(),
    dailyCap: integer().notNull().default(DEFAULT_DAILY_CAP),
    changedAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.memberId] }),
    memberKey('notification_settings_member', [table.tenantId, table.memberId]),
    rangeCheck(table.dailyCap, 1, MAX_DAILY_CAP),
    lengthCheck(table.quietFrom, 5),
    lengthCheck(table.quietUntil, 5),
  ],
)

/** Courses, groups and conversations that a member has muted. */
export const notificationMute = pgTable(
  'notification_mute',
  {
    tenantId: tenantId().references(() => tenant.id),
    memberId: uuid().notNull(),
    subjectType: text({ enum: MUTE_SUBJECTS }).notNull(),
    subjectId: uuid().notNull(),
    // Null: until it is unmuted.
    until: instant(),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.memberId, table.subjectType, table.subjectId] }),
    memberKey('notification_mute_member', [table.tenantId, table.memberId]),
    ...enumChecks(table),
  ],
)

/** The number of emails of notifications that a member was sent on a local day. */
export const notificationEmailCount = pgTable(
  'notification_email_count',
  {
    tenantId: tenantId().references(() => tenant.id),
    memberId: uuid().notNull(),
    day: text().notNull(),
    count: integer().notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.memberId, table.day] }),
    memberKey('notification_email_count_member', [table.tenantId, table.memberId]),
    index().on(table.tenantId, table.createdAt),
    rangeCheck(table.count, 0),
    lengthCheck(table.day, 10),
  ],
)
