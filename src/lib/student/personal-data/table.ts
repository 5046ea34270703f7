import { sql } from 'drizzle-orm'
import { bigint, index, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { enumChecks } from '../../core/db/checks.ts'
import { createdAt, id, instant } from '../../core/db/columns.ts'
import { user } from '../../user/table.ts'

/** A ZIP file with all data that is stored about a person, in all schools. The file is removed when it expires. */
export const dataExport = pgTable(
  'data_export',
  {
    id: id().primaryKey(),
    userId: uuid()
      .notNull()
      .references(() => user.id, { onDelete: 'cascade' }),
    state: text({ enum: ['queued', 'ready', 'failed', 'removed'] })
      .notNull()
      .default('queued'),
    size: bigint({ mode: 'number' }),
    requestedAt: createdAt(),
    readyAt: instant(),
    expiresAt: instant(),
  },
  (table) => [
    index().on(table.userId, table.requestedAt),
    index().on(table.state, table.expiresAt),
    // At most one running export per person.
    uniqueIndex('data_export_queued').on(table.userId).where(sql`state = 'queued'`),
    ...enumChecks(table),
  ],
)

/**
 * A request of a person to delete the data that schools store about them as a student. Canceled by deleting the row.
 */
export const deletionRequest = pgTable('deletion_request', {
  userId: uuid()
    .primaryKey()
    .references(() => user.id, { onDelete: 'cascade' }),
  requestedAt: createdAt(),
  // End of the grace period.
  dueAt: instant().notNull(),
})
