import { integer, pgTable, text } from 'drizzle-orm/pg-core'
import { countChecks } from '../db/checks.ts'
import { instant } from '../db/columns.ts'

/** Attempts per key and window, in the database so that a limit survives a restart and holds for all processes. */
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
