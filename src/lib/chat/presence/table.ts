import { boolean, pgTable, primaryKey, uuid } from 'drizzle-orm/pg-core'
import { instant, tenantId } from '../../core/db/columns.ts'
import { tenant } from '../../tenant/table.ts'
import { memberKey } from '../../user/table.ts'

/** What others see of a member's activity in the chat; without a row both are shared. */
export const chatPresence = pgTable(
  'chat_presence',
  {
    tenantId: tenantId().references(() => tenant.id),
    memberId: uuid().notNull(),
    // Others see whether the member is online or types.
    sharesPresence: boolean().notNull().default(true),
    // Others see what the member has read in direct conversations.
    sharesReading: boolean().notNull().default(true),
    // The latest report of an open page of the chat; null when presence is not shared.
    seenAt: instant(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.memberId] }),
    memberKey('chat_presence_member', [table.tenantId, table.memberId]),
  ],
)
