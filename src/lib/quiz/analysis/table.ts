import { integer, jsonb, pgTable, primaryKey, uuid } from 'drizzle-orm/pg-core'
import { countChecks } from '../../core/db/checks.ts'
import { createdAt, tenantId } from '../../core/db/columns.ts'
import { tenant } from '../../tenant/table.ts'
import { quizKey } from '../table.ts'
import type { ItemStatistics } from './schema.ts'

/** The item analysis of a test, computed by a job after attempts were graded, so that reading it costs one row. */
export const quizAnalysis = pgTable(
  'quiz_analysis',
  {
    tenantId: tenantId().references(() => tenant.id),
    quizId: uuid().notNull(),
    // Students with a graded attempt: the first of each counts.
    attempts: integer().notNull(),
    items: jsonb().$type<ItemStatistics[]>().notNull(),
    computedAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.quizId] }),
    quizKey('quiz_analysis_quiz', [table.tenantId, table.quizId]),
    ...countChecks(table.attempts),
  ],
)
