import { sql } from 'drizzle-orm'
import { check, index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { enumChecks, lengthCheck, rangeCheck, versionChecks } from '../core/db/checks.ts'
import { createdAt, id, instant, keyTo, tenantId } from '../core/db/columns.ts'
import { studyGroup } from '../course/learning/table.ts'
import { courseKey } from '../course/table.ts'
import { tenant } from '../tenant/table.ts'
import { memberKey } from '../user/table.ts'
import {
  AUTOMATION_ACTIONS,
  AUTOMATION_RESULTS,
  AUTOMATION_TRIGGERS,
  MAX_ADDRESS_LENGTH,
  MAX_CAUSE_LENGTH,
  MAX_DELAY_HOURS,
  MAX_IDLE_DAYS,
} from './schema.ts'

const groupKey = keyTo(studyGroup)

/** What the school does for a student some time after something has happened. */
export const automation = pgTable(
  'automation',
  {
    tenantId: tenantId().references(() => tenant.id),
    id: id(),
    title: text().notNull(),
    trigger: text({ enum: AUTOMATION_TRIGGERS }).notNull(),
    courseId: uuid(),
    days: integer().notNull(),
    delayHours: integer().notNull(),
    action: text({ enum: AUTOMATION_ACTIONS }).notNull(),
    subject: text().notNull(),
    text: text().notNull(),
    tag: text().notNull(),
    givenCourseId: uuid(),
    groupId: uuid(),
    webhookAddress: text().notNull().default(''),
    // Encrypted; made when the automation calls a webhook for the first time.
    webhookSecret: text(),
    // Encrypted; requests are signed with it too until then, so that the receiver can change its secret in the meantime.
    previousWebhookSecret: text(),
    previousSecretUntil: instant(),
    // Null: switched off. What was due before is not done.
    onSince: instant(),
    version: integer().notNull().default(1),
    createdBy: uuid().notNull(),
    createdAt: createdAt(),
    deletedAt: instant(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    courseKey('automation_course', [table.tenantId, table.courseId]),
    courseKey('automation_given_course', [table.tenantId, table.givenCourseId]),
    groupKey('automation_group', [table.tenantId, table.groupId]),
    memberKey('automation_created_by', [table.tenantId, table.createdBy]),
    index('automation_present').on(table.tenantId, table.createdAt, table.id).where(sql`deleted_at is null`),
    index().on(table.tenantId, table.courseId),
    index().on(table.tenantId, table.givenCourseId),
    index().on(table.tenantId, table.groupId),
    index().on(table.tenantId, table.createdBy),
    ...enumChecks(table),
    ...versionChecks(table.version),
    rangeCheck(table.days, 1, MAX_IDLE_DAYS),
    rangeCheck(table.delayHours, 0, MAX_DELAY_HOURS),
    lengthCheck(table.title, 120),
    lengthCheck(table.subject, 160),
    lengthCheck(table.text, 2000),
    lengthCheck(table.tag, 40),
    lengthCheck(table.webhookAddress, MAX_ADDRESS_LENGTH),
    lengthCheck(table.webhookSecret, 200),
    lengthCheck(table.previousWebhookSecret, 200),
    check(
      'automation_previous_secret_both',
      sql`(${table.previousWebhookSecret} is null) = (${table.previousSecretUntil} is null)`,
    ),
  ],
)

export type AutomationRow = typeof automation.$inferSelect

const automationKey = keyTo(automation)

/** An automation has acted for a student: once for each cause. */
export const automationRun = pgTable(
  'automation_run',
  {
    tenantId: tenantId().references(() => tenant.id),
    automationId: uuid().notNull(),
    studentId: uuid().notNull(),
    // Identifies what has happened, e.g. an attempt.
    cause: text().notNull(),
    // What it was about, e.g. the title of a test.
    subject: text().notNull().default(''),
    result: text({ enum: AUTOMATION_RESULTS }).notNull().default('done'),
    // Why it was refused or has failed, as a key of the texts of errors or automations.
    reason: text(),
    // Of the webhook: the calls so far, the status of the last response, and when it is called again.
    attempts: integer().notNull().default(0),
    responseStatus: integer(),
    nextAttemptAt: instant(),
    // When a failed call was last sent again manually.
    resentAt: instant(),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.automationId, table.studentId, table.cause] }),
    automationKey('automation_run_automation', [table.tenantId, table.automationId]),
    memberKey('automation_run_student', [table.tenantId, table.studentId]),
    index().on(table.tenantId, table.automationId, table.createdAt),
    index().on(table.tenantId, table.studentId),
    index('automation_run_pending').on(table.tenantId, table.nextAttemptAt).where(sql`result = 'pending'`),
    ...enumChecks(table),
    lengthCheck(table.cause, MAX_CAUSE_LENGTH),
    lengthCheck(table.subject, 300),
    lengthCheck(table.reason, 80),
    rangeCheck(table.attempts, 0, 100),
    rangeCheck(table.responseStatus, 100, 999),
  ],
)
