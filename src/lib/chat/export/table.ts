import { sql } from 'drizzle-orm'
import { bigint, index, integer, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { countChecks, enumChecks } from '../../core/db/checks.ts'
import { createdAt, id, instant, tenantId } from '../../core/db/columns.ts'
import { tenant } from '../../tenant/table.ts'
import { memberKey } from '../../user/table.ts'
import { conversationKey } from '../table.ts'
import { EXPORT_STATES } from './schema.ts'

/** ZIP files of conversations, written by a job. A file is removed when it expires. */
export const chatExport = pgTable(
  'chat_export',
  {
    tenantId: tenantId().references(() => tenant.id),
    id: id(),
    requestedBy: uuid().notNull(),
    // Null: all conversations of the school.
    conversationId: uuid(),
    state: text({ enum: EXPORT_STATES }).notNull().default('queued'),
    messageCount: integer(),
    size: bigint({ mode: 'number' }),
    requestedAt: createdAt(),
    expiresAt: instant(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    memberKey('chat_export_requested_by', [table.tenantId, table.requestedBy]),
    conversationKey('chat_export_conversation', [table.tenantId, table.conversationId]),
    index().on(table.tenantId, table.requestedAt),
    index().on(table.tenantId, table.requestedBy),
    index().on(table.tenantId, table.conversationId),
    // One export at a time.
    uniqueIndex('chat_export_queued').on(table.tenantId).where(sql`state = 'queued'`),
    ...enumChecks(table),
    ...countChecks(table.messageCount, table.size),
  ],
)
