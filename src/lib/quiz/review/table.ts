import { sql } from 'drizzle-orm'
import { foreignKey, index, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { countChecks, enumChecks, lengthCheck } from '../../core/db/checks.ts'
import { instant, tenantId } from '../../core/db/columns.ts'
import { ATTEMPT_REVIEW_STATES } from '../../core/shared/quiz.ts'
import { courseKey } from '../../course/table.ts'
import { tenant } from '../../tenant/table.ts'
import { memberKey } from '../../user/table.ts'
import { quizAttempt } from '../attempt/table.ts'
import { quizKey } from '../table.ts'
import type { AttemptReviewDraft } from './schema.ts'

const isWaiting = sql`state = 'waiting'`

/**
 * The review of an attempt: its position in the review queue, the reviewer's draft and the comment for the student. It
 * exists when an answer has to be marked, or after a reviewer has changed marks.
 */
export const quizReview = pgTable(
  'quiz_review',
  {
    tenantId: tenantId().references(() => tenant.id),
    attemptId: uuid().notNull(),
    quizId: uuid().notNull(),
    courseId: uuid().notNull(),
    studentId: uuid().notNull(),
    state: text({ enum: ATTEMPT_REVIEW_STATES }).notNull(),
    submittedAt: instant().notNull(),
    // The promised time of the result; null without a promise.
    answerBy: instant(),
    assignedTo: uuid(),
    // Not visible to the student; null before the first save.
    draft: jsonb().$type<AttemptReviewDraft>(),
    // Number of saves of the draft; a save based on another revision is refused.
    revision: integer().notNull().default(0),
    editedBy: uuid(),
    editedAt: instant(),
    // Visible to the student since `reviewedAt`.
    comment: text().notNull().default(''),
    reviewedBy: uuid(),
    reviewedAt: instant(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.attemptId] }),
    foreignKey({
      name: 'quiz_review_attempt',
      columns: [table.tenantId, table.attemptId],
      foreignColumns: [quizAttempt.tenantId, quizAttempt.id],
    }),
    quizKey('quiz_review_quiz', [table.tenantId, table.quizId]),
    courseKey('quiz_review_course', [table.tenantId, table.courseId]),
    memberKey('quiz_review_student', [table.tenantId, table.studentId]),
    memberKey('quiz_review_assigned_to', [table.tenantId, table.assignedTo]),
    memberKey('quiz_review_edited_by', [table.tenantId, table.editedBy]),
    memberKey('quiz_review_reviewed_by', [table.tenantId, table.reviewedBy]),
    index().on(table.tenantId, table.quizId),
    index().on(table.tenantId, table.studentId),
    index().on(table.tenantId, table.editedBy),
    index().on(table.tenantId, table.reviewedBy),
    index().on(table.tenantId, table.state, table.submittedAt, table.attemptId),
    index('quiz_review_course_state').on(
      table.tenantId,
      table.courseId,
      table.state,
      table.submittedAt,
      table.attemptId,
    ),
    // Partial indexes for the queue: only few attempts wait.
    index('quiz_review_waiting').on(table.tenantId, table.submittedAt, table.attemptId).where(isWaiting),
    index('quiz_review_waiting_course')
      .on(table.tenantId, table.courseId, table.submittedAt, table.attemptId)
      .where(isWaiting),
    index('quiz_review_assigned').on(table.tenantId, table.assignedTo, table.submittedAt, table.attemptId),
    index('quiz_review_due').on(table.tenantId, table.answerBy, table.attemptId).where(isWaiting),
    index('quiz_review_due_course')
      .on(table.tenantId, table.courseId, table.answerBy, table.attemptId)
      .where(isWaiting),
    ...enumChecks(table),
    ...countChecks(table.revision),
    lengthCheck(table.comment, 4000),
  ],
)
