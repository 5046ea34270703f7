import { bigint, index, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { createdAt, tenantId } from '../db/columns.ts'

/** Recent events of channels, so that a stream can resume after its last event id. Deleted after an hour. */
export const liveEvent = pgTable(
  'live_event',
  {
    tenantId: tenantId(),
    id: bigint({ mode: 'number' }).generatedAlwaysAsIdentity(),
    channel: text().notNull(),
    payload: jsonb().$type<unknown>().notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    index().on(table.tenantId, table.channel, table.id),
    index().on(table.createdAt),
  ],
)
