import { index, integer, jsonb, pgTable, primaryKey, uuid } from 'drizzle-orm/pg-core'
import { versionChecks } from '../../core/db/checks.ts'
import { createdAt, instant, tenantId } from '../../core/db/columns.ts'
import { tenant } from '../../tenant/table.ts'
import { memberKey } from '../../user/table.ts'
import { quizAttemptKey } from '../attempt/table.ts'
import type { AnswerValue } from '../question/schema.ts'
import { questionKey } from '../question/table.ts'

/**
 * An answer that reached the server when it could not be saved any more, for example because the device was offline
 * until after the deadline. It is not scored unless a reviewer accepts it.
 */
export const quizLateAnswer = pgTable(
  'quiz_late_answer',
  {
    tenantId: tenantId().references(() => tenant.id),
    attemptId: uuid().notNull(),
    questionId: uuid().notNull(),
    // Of the refused save; answers of several devices are kept side by side.
    revision: integer().notNull(),
    value: jsonb().$type<AnswerValue>().notNull(),
    receivedAt: createdAt(),
    acceptedBy: uuid(),
    acceptedAt: instant(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.attemptId, table.questionId, table.revision] }),
    quizAttemptKey('quiz_late_answer_attempt', [table.tenantId, table.attemptId]),
    questionKey('quiz_late_answer_question', [table.tenantId, table.questionId]),
    memberKey('quiz_late_answer_accepted_by', [table.tenantId, table.acceptedBy]),
    index().on(table.tenantId, table.questionId),
    index().on(table.tenantId, table.acceptedBy),
    ...versionChecks(table.revision),
  ],
)
