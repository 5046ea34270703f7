import { index, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { countChecks, enumChecks } from '../../core/db/checks.ts'
import { createdAt, id, instant, tenantId } from '../../core/db/columns.ts'
import { REGRADE_STATES } from '../../core/shared/quiz.ts'
import { tenant } from '../../tenant/table.ts'
import { memberKey } from '../../user/table.ts'
import { quizKey } from '../table.ts'
import type { CorrectedKey } from './schema.ts'

/** A regrading of the attempts at a test after keys were corrected. */
export const quizRegrade = pgTable(
  'quiz_regrade',
  {
    tenantId: tenantId().references(() => tenant.id),
    id: id(),
    quizId: uuid().notNull(),
    // The versions of the questions whose keys are used from now on.
    keys: jsonb().$type<CorrectedKey[]>().notNull(),
    state: text({ enum: REGRADE_STATES }).notNull().default('running'),
    // Number of examined attempts, and of those whose score or result has changed.
    checked: integer().notNull().default(0),
    changed: integer().notNull().default(0),
    // The last examined attempt, in the order of ids: an interrupted job continues after it.
    lastAttemptId: uuid(),
    by: uuid().notNull(),
    at: createdAt(),
    finishedAt: instant(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    quizKey('quiz_regrade_quiz', [table.tenantId, table.quizId]),
    memberKey('quiz_regrade_by', [table.tenantId, table.by]),
    index().on(table.tenantId, table.quizId, table.at),
    index().on(table.tenantId, table.by),
    ...enumChecks(table),
    ...countChecks(table.checked, table.changed),
  ],
)
