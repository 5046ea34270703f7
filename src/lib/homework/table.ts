import { sql } from 'drizzle-orm'
import { bigint, boolean, index, integer, jsonb, pgTable, primaryKey, text, unique, uuid } from 'drizzle-orm/pg-core'
import { countChecks, enumChecks, lengthCheck, rangeCheck, versionChecks } from '../core/db/checks.ts'
import { createdAt, id, instant, keyTo, tenantId } from '../core/db/columns.ts'
import {
  GRADINGS,
  LATE_POLICIES,
  SHOW_SAMPLE,
  SUBMISSION_EVENTS,
  SUBMISSION_STATES,
  TASK_TYPES,
} from '../core/shared/learning.ts'
import type { LessonDoc } from '../core/shared/lesson-doc.ts'
import type { AccessRule } from '../course/schema.ts'
import { courseKey, lessonKey } from '../course/table.ts'
import { tenant } from '../tenant/table.ts'
import { memberKey } from '../user/table.ts'
import type { Annotation, Criterion, RubricMark } from './schema.ts'

/** A task of a lesson: instructions, accepted answers, due date, grading. */
export const task = pgTable(
  'task',
  {
    tenantId: tenantId().references(() => tenant.id),
    id: id(),
    courseId: uuid().notNull(),
    lessonId: uuid().notNull(),
    position: integer().notNull().default(0),
    type: text({ enum: TASK_TYPES }).notNull().default('file'),
    title: text().notNull(),
    instructions: jsonb().$type<LessonDoc>().notNull(),
    fileIds: uuid().array().notNull().default([]),
    acceptTypes: text().array().notNull().default([]),
    maxFiles: integer().notNull().default(5),
    maxBytes: bigint({ mode: 'number' }).notNull().default(209_715_200),
    // Null: no due date. Otherwise the task is due at the instant at which the rule would open a lesson.
    dueRule: jsonb().$type<AccessRule>(),
    latePolicy: text({ enum: LATE_POLICIES }).notNull().default('acceptMarked'),
    grading: text({ enum: GRADINGS }).notNull().default('acceptReject'),
    maxPoints: integer(),
    passPoints: integer(),
    maxAttempts: integer(),
    rubric: jsonb().$type<Criterion[]>().notNull().default([]),
    sampleAnswer: jsonb().$type<LessonDoc>(),
    showSample: text({ enum: SHOW_SAMPLE }).notNull().default('never'),
    // Null: the hours of the course.
    slaHours: integer(),
    required: boolean().notNull().default(true),
    version: integer().notNull().default(1),
    createdAt: createdAt(),
    updatedAt: createdAt(),
    deletedAt: instant(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    courseKey('task_course', [table.tenantId, table.courseId]),
    lessonKey('task_lesson', [table.tenantId, table.lessonId]),
    index().on(table.tenantId, table.lessonId, table.position),
    index().on(table.tenantId, table.courseId),
    ...enumChecks(table),
    ...countChecks(table.position),
    ...versionChecks(table.version),
    rangeCheck(table.maxFiles, 1, 10),
    rangeCheck(table.maxBytes, 1024, 10 * 1024 ** 3),
    rangeCheck(table.maxPoints, 1, 1000),
    rangeCheck(table.passPoints, 1, 1000),
    rangeCheck(table.maxAttempts, 1, 50),
    rangeCheck(table.slaHours, 1, 2160),
    lengthCheck(table.title, 160),
  ],
)

const isWaiting = sql`state in ('submitted', 'in_review')`

/** One attempt of a student at a task. Earlier attempts keep their verdicts. */
export const submission = pgTable(
  'submission',
  {
    tenantId: tenantId().references(() => tenant.id),
    id: id(),
    taskId: uuid().notNull(),
    courseId: uuid().notNull(),
    lessonId: uuid().notNull(),
    studentId: uuid().notNull(),
    attempt: integer().notNull().default(1),
    state: text({ enum: SUBMISSION_STATES }).notNull().default('draft'),
    text: text().notNull().default(''),
    fileIds: uuid().array().notNull().default([]),
    version: integer().notNull().default(1),
    submittedAt: instant(),
    late: boolean().notNull().default(false),
    // The promised time of the review; null without a promise.
    answerBy: instant(),
    lockedBy: uuid(),
    lockedAt: instant(),
    assignedTo: uuid(),
    // Columns of the review; not visible to the student before `reviewedAt`.
    score: integer(),
    rubricMarks: jsonb().$type<RubricMark[]>().notNull().default([]),
    feedback: jsonb().$type<LessonDoc>(),
    feedbackFileIds: uuid().array().notNull().default([]),
    voiceFileId: uuid(),
    annotations: jsonb().$type<Annotation[]>().notNull().default([]),
    feedbackVersion: integer().notNull().default(1),
    reviewedBy: uuid(),
    reviewedAt: instant(),
    readByStudentAt: instant(),
    createdAt: createdAt(),
    updatedAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    unique().on(table.tenantId, table.taskId, table.studentId, table.attempt),
    taskKey('submission_task', [table.tenantId, table.taskId]),
    courseKey('submission_course', [table.tenantId, table.courseId]),
    lessonKey('submission_lesson', [table.tenantId, table.lessonId]),
    memberKey('submission_student', [table.tenantId, table.studentId]),
    memberKey('submission_locked_by', [table.tenantId, table.lockedBy]),
    memberKey('submission_assigned_to', [table.tenantId, table.assignedTo]),
    memberKey('submission_reviewed_by', [table.tenantId, table.reviewedBy]),
    index().on(table.tenantId, table.state, table.submittedAt, table.id),
    index().on(table.tenantId, table.courseId, table.state, table.submittedAt, table.id),
    index().on(table.tenantId, table.studentId, table.lessonId),
    // Partial indexes for the queue: only few submissions wait.
    index('submission_waiting').on(table.tenantId, table.submittedAt, table.id).where(isWaiting),
    index('submission_waiting_course').on(table.tenantId, table.courseId, table.submittedAt, table.id).where(isWaiting),
    index('submission_waiting_whose')
      .on(table.tenantId, table.assignedTo, table.submittedAt, table.id)
      .where(isWaiting),
    index('submission_due').on(table.tenantId, table.answerBy, table.id).where(isWaiting),
    index('submission_due_course').on(table.tenantId, table.courseId, table.answerBy, table.id).where(isWaiting),
    index('submission_locked').on(table.tenantId, table.lockedBy).where(sql`locked_by is not null`),
    index().on(table.tenantId, table.lessonId),
    ...enumChecks(table),
    ...versionChecks(table.version, table.feedbackVersion),
    rangeCheck(table.attempt, 1),
    rangeCheck(table.score, 0, 1000),
    lengthCheck(table.text, 50_000),
  ],
)

/** The history of a submission. */
export const submissionEvent = pgTable(
  'submission_event',
  {
    tenantId: tenantId().references(() => tenant.id),
    id: id(),
    submissionId: uuid().notNull(),
    event: text({ enum: SUBMISSION_EVENTS }).notNull(),
    by: uuid().notNull(),
    at: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    submissionKey('submission_event_submission', [table.tenantId, table.submissionId]),
    memberKey('submission_event_by', [table.tenantId, table.by]),
    index().on(table.tenantId, table.submissionId, table.at),
    ...enumChecks(table),
  ],
)

/** Messages of a student and the reviewers about a task; a message is never an attempt. */
export const homeworkMessage = pgTable(
  'homework_message',
  {
    tenantId: tenantId().references(() => tenant.id),
    id: id(),
    taskId: uuid().notNull(),
    studentId: uuid().notNull(),
    authorId: uuid().notNull(),
    body: text().notNull(),
    fileIds: uuid().array().notNull().default([]),
    at: createdAt(),
    readAt: instant(),
    // Of a student's message: a reviewer has answered, or closed it without an answer.
    answeredAt: instant(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    taskKey('homework_message_task', [table.tenantId, table.taskId]),
    memberKey('homework_message_student', [table.tenantId, table.studentId]),
    memberKey('homework_message_author', [table.tenantId, table.authorId]),
    index().on(table.tenantId, table.taskId, table.studentId, table.at),
    index().on(table.tenantId, table.studentId),
    // Only few messages wait for an answer.
    index('homework_message_waiting')
      .on(table.tenantId, table.taskId, table.studentId, table.at)
      .where(sql`answered_at is null and author_id = student_id`),
    lengthCheck(table.body, 4000),
  ],
)

/** A text that a reviewer reuses; `{name}` and other variables are replaced when it is inserted. */
export const snippet = pgTable(
  'snippet',
  {
    tenantId: tenantId().references(() => tenant.id),
    id: id(),
    ownerId: uuid().notNull(),
    // Visible to all reviewers of the tenant.
    shared: boolean().notNull().default(false),
    title: text().notNull(),
    body: text().notNull(),
    createdAt: createdAt(),
    deletedAt: instant(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    memberKey('snippet_owner', [table.tenantId, table.ownerId]),
    index().on(table.tenantId, table.ownerId),
    lengthCheck(table.title, 80),
    lengthCheck(table.body, 4000),
  ],
)

const taskKey = keyTo(task)
const submissionKey = keyTo(submission)
