import { sql } from 'drizzle-orm'
import { index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { countChecks, enumChecks, lengthCheck, rangeCheck } from '../../core/db/checks.ts'
import { createdAt, id, instant, tenantId } from '../../core/db/columns.ts'
import { tenant } from '../../tenant/table.ts'
import { memberKey } from '../../user/table.ts'
import type { NotificationKind } from '../kind-schema.ts'
import type { NotificationData } from '../schema.ts'

/**
 * What is to be delivered outside of the product: digests of emails, and every push and Telegram message. An email that
 * is sent immediately is in the outbox of emails instead.
 */
export const notificationDelivery = pgTable(
  'notification_delivery',
  {
    tenantId: tenantId().references(() => tenant.id),
    id: id(),
    memberId: uuid().notNull(),
    channel: text({ enum: ['email', 'push', 'telegram'] }).notNull(),
    frequency: text({ enum: ['immediate', 'hourly', 'daily', 'weekly'] }).notNull(),
    // Of the cause: a cause is delivered once by a channel.
    key: text().notNull(),
    kind: text().$type<NotificationKind>().notNull(),
    data: jsonb().$type<NotificationData>().notNull(),
    link: text().notNull(),
    groupKey: text(),
    count: integer().notNull().default(1),
    // The row of the list; a digest omits what was read meanwhile.
    notificationId: uuid(),
    state: text({ enum: ['waiting', 'sent', 'skipped', 'failed'] })
      .notNull()
      .default('waiting'),
    attempts: integer().notNull().default(0),
    // Push subscriptions that have received it; an attempt that follows omits them.
    receivedBy: uuid().array().notNull().default([]),
    dueAt: instant().notNull(),
    // What is not delivered by then is skipped.
    expiresAt: instant(),
    error: text(),
    createdAt: createdAt(),
    endedAt: instant(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    memberKey('notification_delivery_member', [table.tenantId, table.memberId]),
    uniqueIndex('notification_delivery_once').on(table.tenantId, table.memberId, table.channel, table.key),
    index('notification_delivery_due').on(table.tenantId, table.dueAt).where(sql`state = 'waiting'`),
    index('notification_delivery_created').on(table.tenantId, table.createdAt),
    ...enumChecks(table),
    ...countChecks(table.attempts),
    rangeCheck(table.count, 1),
    lengthCheck(table.link, 500),
    lengthCheck(table.key, 200),
    lengthCheck(table.groupKey, 200),
  ],
)
