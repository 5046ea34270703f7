import { integer, pgTable, text } from 'drizzle-orm/pg-core'
import { countChecks } from '../db/checks.ts'
import { instant } from '../db/columns.ts'

/** The first and last name, or the email address while there is no name. */
export const throttle = pgTable(
  'throttle',
  {
    key: text().primaryKey(),
    count: integer().notNull(),
    windowEndsAt: instant().notNull(),
    blockedUntil: instant(),
  },
  (table) => [...countChecks(table.count)],
)
