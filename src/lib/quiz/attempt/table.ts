import { sql } from 'drizzle-orm'
import {
  boolean,
  index,
  integer,
  jsonb,
  numeric,
  pgTable,
  primaryKey,
  text,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { countChecks, enumChecks, lengthCheck, versionChecks } from '../../core/db/checks.ts'
import { createdAt, id, instant, keyTo, tenantId } from '../../core/db/columns.ts'
import { ATTEMPT_EVENTS, ATTEMPT_STATES } from '../../core/shared/quiz.ts'
import { tenant } from '../../tenant/table.ts'
import { memberKey } from '../../user/table.ts'
import type { AnswerValue } from '../question/schema.ts'
import { questionKey } from '../question/table.ts'
import { quizKey } from '../table.ts'
import type { AttemptRules, FrozenQuestion } from './schema.ts'

/** Points with two decimals. */
const points = () => numeric({ precision: 9, scale: 2, mode: 'number' })

/** A student's attempt at a test. Its questions, their order and its rules are fixed when it starts. */
export const quizAttempt = pgTable(
  'quiz_attempt',
  {
    tenantId: tenantId().references(() => tenant.id),
    id: id(),
    quizId: uuid().notNull(),
    studentId: uuid().notNull(),
    number: integer().notNull(),
    // Of attempts that were started before their order was derived from `partKey`.
    seed: integer(),
    // Secret of the order and of the ids of parts that the student sees, see part-ids.ts. Null: started before the ids were specific to
    // the attempt.
    partKey: uuid(),
    questions: jsonb().$type<FrozenQuestion[]>().notNull(),
    rules: jsonb().$type<AttemptRules>().notNull(),
    state: text({ enum: ATTEMPT_STATES }).notNull().default('inProgress'),
    startedAt: createdAt(),
    // Null: without a limit. Includes extra time.
    deadlineAt: instant(),
    extraTimeSec: integer().notNull().default(0),
    submittedAt: instant(),
    gradedAt: instant(),
    // The last page that was reached, from 0; with forward navigation earlier pages are closed.
    page: integer().notNull().default(0),
    // Questions that the student has flagged.
    flagged: uuid().array().notNull().default([]),
    maxScore: points().notNull(),
    score: points(),
    passed: boolean(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    unique().on(table.tenantId, table.quizId, table.studentId, table.number),
    // At most one running attempt per student and test, also with concurrent requests.
    uniqueIndex('quiz_attempt_running')
      .on(table.tenantId, table.quizId, table.studentId)
      .where(sql`state in ('inProgress', 'overdue')`),
    quizKey('quiz_attempt_quiz', [table.tenantId, table.quizId]),
    memberKey('quiz_attempt_student', [table.tenantId, table.studentId]),
    index().on(table.tenantId, table.studentId, table.quizId),
    index().on(table.tenantId, table.quizId, table.state, table.submittedAt, table.id),
    index().on(table.tenantId, table.quizId, table.startedAt, table.id),
    index('quiz_attempt_deadline')
      .on(table.tenantId, table.deadlineAt)
      .where(sql`state in ('inProgress', 'overdue') and deadline_at is not null`),
    ...enumChecks(table),
    ...countChecks(table.extraTimeSec, table.page),
    ...versionChecks(table.number),
  ],
)

/** The answer to a question of an attempt with its marks. */
export const quizAnswer = pgTable(
  'quiz_answer',
  {
    tenantId: tenantId().references(() => tenant.id),
    attemptId: uuid().notNull(),
    questionId: uuid().notNull(),
    // Null: no answer, or an answer that was removed.
    value: jsonb().$type<AnswerValue>(),
    // Number of the save; a save with an older revision is refused.
    revision: integer().notNull().default(1),
    savedAt: createdAt(),
    // Time on the question by the server's clock: from one save of the attempt to the next one, see save-answer.ts.
    spentMs: integer().notNull().default(0),
    // Computed by the rules of the question; null before the submission and for types that are marked by a reviewer.
    score: points(),
    // Set by a reviewer; it takes precedence and survives regrading.
    manualScore: points(),
    comment: text().notNull().default(''),
    gradedBy: uuid(),
    gradedAt: instant(),
    // With feedback after each question: the answer is final.
    closedAt: instant(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.attemptId, table.questionId] }),
    quizAttemptKey('quiz_answer_attempt', [table.tenantId, table.attemptId]),
    questionKey('quiz_answer_question', [table.tenantId, table.questionId]),
    memberKey('quiz_answer_graded_by', [table.tenantId, table.gradedBy]),
    index().on(table.tenantId, table.questionId),
    index().on(table.tenantId, table.gradedBy),
    ...versionChecks(table.revision),
    ...countChecks(table.spentMs),
    lengthCheck(table.comment, 4000),
  ],
)

/** The history of an attempt. */
export const quizAttemptEvent = pgTable(
  'quiz_attempt_event',
  {
    tenantId: tenantId().references(() => tenant.id),
    id: id(),
    attemptId: uuid().notNull(),
    event: text({ enum: ATTEMPT_EVENTS }).notNull(),
    // Null: the system, e.g. at the deadline.
    by: uuid(),
    at: createdAt(),
    // Of timeGranted.
    seconds: integer(),
    note: text().notNull().default(''),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    quizAttemptKey('quiz_attempt_event_attempt', [table.tenantId, table.attemptId]),
    memberKey('quiz_attempt_event_by', [table.tenantId, table.by]),
    index().on(table.tenantId, table.attemptId, table.at),
    index().on(table.tenantId, table.by),
    ...enumChecks(table),
    lengthCheck(table.note, 500),
  ],
)

/** Foreign key to the attempt within the tenant. */
export const quizAttemptKey = keyTo(quizAttempt)
