import { sql } from 'drizzle-orm'
import { index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { enumChecks, lengthCheck, rangeCheck } from '../core/db/checks.ts'
import { createdAt, id, instant, tenantId } from '../core/db/columns.ts'
import { courseKey } from '../course/table.ts'
import { tenant } from '../tenant/table.ts'
import { memberKey } from '../user/table.ts'
import { DEFAULT_ANSWER_HOURS, INBOX_KINDS, MAX_ANSWER_HOURS } from './schema.ts'

/** What the team has decided about an item of the inbox; whether it waits follows from its messages. */
export const inboxItem = pgTable(
  'inbox_item',
  {
    tenantId: tenantId().references(() => tenant.id),
    kind: text({ enum: INBOX_KINDS }).notNull(),
    // Identifies the item: a conversation, `<task>:<student>`, a submission, an attempt or a booking.
    key: text().notNull(),
    // Of questions; submissions and attempts have their own reviewer, bookings their mentor.
    assignedTo: uuid(),
    snoozedAt: instant(),
    snoozedUntil: instant(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.kind, table.key] }),
    memberKey('inbox_item_assigned_to', [table.tenantId, table.assignedTo]),
    index().on(table.tenantId, table.assignedTo),
    ...enumChecks(table),
    lengthCheck(table.key, 80),
  ],
)

/** Something that the team is to do about a student, e.g. what an automation has found; it waits until it is done. */
export const inboxTask = pgTable(
  'inbox_task',
  {
    tenantId: tenantId().references(() => tenant.id),
    id: id(),
    studentId: uuid().notNull(),
    // Null: a task for the managers.
    courseId: uuid(),
    // What has created it, as its author is displayed.
    source: text().notNull(),
    text: text().notNull(),
    createdAt: createdAt(),
    doneAt: instant(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    memberKey('inbox_task_student', [table.tenantId, table.studentId]),
    courseKey('inbox_task_course', [table.tenantId, table.courseId]),
    index('inbox_task_waiting').on(table.tenantId, table.courseId).where(sql`done_at is null`),
    index().on(table.tenantId, table.studentId),
    index().on(table.tenantId, table.courseId),
    lengthCheck(table.source, 120),
    lengthCheck(table.text, 4000),
  ],
)

/** The settings of the inbox of a school; without a row the defaults. */
export const inboxSetting = pgTable(
  'inbox_setting',
  {
    tenantId: tenantId()
      .primaryKey()
      .references(() => tenant.id),
    // The promised time of an answer; a course may have another one.
    answerHours: integer().notNull().default(DEFAULT_ANSWER_HOURS),
  },
  (table) => [rangeCheck(table.answerHours, 1, MAX_ANSWER_HOURS)],
)
