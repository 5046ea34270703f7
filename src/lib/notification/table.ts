import { sql } from 'drizzle-orm'
import { index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { lengthCheck, rangeCheck } from '../core/db/checks.ts'
import { createdAt, id, instant, tenantId } from '../core/db/columns.ts'
import { tenant } from '../tenant/table.ts'
import { memberKey } from '../user/table.ts'
import type { NotificationKind } from './kind-schema.ts'
import type { NotificationData } from './schema.ts'

/** Notifications of members. Unread ones with the same group key are one row. */
export const notification = pgTable(
  'notification',
  {
    tenantId: tenantId().references(() => tenant.id),
    id: id(),
    memberId: uuid().notNull(),
    // A name of the registry, which is not in the database, so that a new kind needs no migration.
    kind: text().$type<NotificationKind>().notNull(),
    data: jsonb().$type<NotificationData>().notNull(),
    // A path of the host on which the member is signed in.
    link: text().notNull(),
    // Null when nothing more is added to the row: it has no group, or it was read or archived.
    groupKey: text(),
    count: integer().notNull().default(1),
    createdAt: createdAt(),
    // The last time that something was added to the row.
    latestAt: createdAt(),
    readAt: instant(),
    archivedAt: instant(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    memberKey('notification_member', [table.tenantId, table.memberId]),
    index().on(table.tenantId, table.memberId, table.latestAt, table.id),
    // Counted for every page.
    index('notification_unread').on(table.tenantId, table.memberId).where(sql`read_at is null and archived_at is null`),
    uniqueIndex('notification_group')
      .on(table.tenantId, table.memberId, table.groupKey)
      .where(sql`group_key is not null`),
    index('notification_latest').on(table.tenantId, table.latestAt),
    rangeCheck(table.count, 1),
    lengthCheck(table.kind, 60),
    lengthCheck(table.link, 500),
    lengthCheck(table.groupKey, 200),
  ],
)

/** The causes that a member was notified of, so that none is added twice. */
export const notificationCause = pgTable(
  'notification_cause',
  {
    tenantId: tenantId().references(() => tenant.id),
    memberId: uuid().notNull(),
    key: text().notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.memberId, table.key] }),
    memberKey('notification_cause_member', [table.tenantId, table.memberId]),
    index().on(table.tenantId, table.createdAt),
    lengthCheck(table.key, 200),
  ],
)
