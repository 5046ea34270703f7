import { index, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { lengthCheck } from '../../core/db/checks.ts'
import { createdAt, id, instant, tenantId } from '../../core/db/columns.ts'
import { tenant } from '../../tenant/table.ts'
import { memberKey } from '../../user/table.ts'

/** Browsers that receive push messages for a member. */
export const pushSubscription = pgTable(
  'push_subscription',
  {
    tenantId: tenantId().references(() => tenant.id),
    id: id(),
    memberId: uuid().notNull(),
    // Of the login session in which it was created: signing out ends it.
    sessionId: uuid().notNull(),
    endpoint: text().notNull(),
    // Public key and secret of the browser (RFC 8291), base64url.
    p256dh: text().notNull(),
    auth: text().notNull(),
    userAgent: text(),
    createdAt: createdAt(),
    lastSentAt: instant(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    memberKey('push_subscription_member', [table.tenantId, table.memberId]),
    index().on(table.tenantId, table.memberId),
    uniqueIndex('push_subscription_endpoint').on(table.tenantId, table.memberId, table.endpoint),
    lengthCheck(table.endpoint, 1000),
    lengthCheck(table.p256dh, 100),
    lengthCheck(table.auth, 40),
    lengthCheck(table.userAgent, 300),
  ],
)
