import { index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { createdAt, id, instant } from '../db/columns.ts'

/** Every letter that leaves, written in the transaction of its cause. Without tenant: letters about an account. */
export const mail = pgTable(
  'mail',
  {
    id: id().primaryKey(),
    tenantId: uuid(),
    to: text().notNull(),
    locale: text({ enum: ['uk', 'en'] }).notNull(),
    subject: text().notNull(),
    html: text().notNull(),
    text: text().notNull(),
    // The same cause can't send twice: a second insert with the same key is ignored.
    onceKey: text().unique(),
    status: text({ enum: ['queued', 'sent', 'failed'] })
      .notNull()
      .default('queued'),
    attempts: integer().notNull().default(0),
    error: text(),
    createdAt: createdAt(),
    sentAt: instant(),
  },
  (table) => [index().on(table.tenantId, table.createdAt)],
)
