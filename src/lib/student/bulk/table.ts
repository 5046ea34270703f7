import { isNull } from 'drizzle-orm'
import { foreignKey, index, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { countChecks, enumChecks, lengthCheck } from '../../core/db/checks.ts'
import { createdAt, instant, tenantId } from '../../core/db/columns.ts'
import type { RequestingActor } from '../../core/shared/actor.ts'
import { BULK_ACTIONS, BULK_OUTCOMES, BULK_STATES } from '../../core/shared/learning.ts'
import { tenant } from '../../tenant/table.ts'
import { memberKey } from '../../user/table.ts'
import { studentKey } from '../table.ts'
import type { BulkChange } from './schema.ts'

/** A bulk action with its progress. */
export const studentJob = pgTable(
  'student_job',
  {
    tenantId: tenantId().references(() => tenant.id),
    id: uuid().notNull(),
    by: uuid().notNull(),
    action: text({ enum: BULK_ACTIONS }).notNull(),
    change: jsonb().$type<BulkChange>().notNull(),
    /** The actor of the job, so that a lost job can be recreated. */
    actor: jsonb().$type<RequestingActor>().notNull(),
    state: text({ enum: BULK_STATES }).notNull(),
    total: integer().notNull().default(0),
    doneCount: integer().notNull().default(0),
    unchangedCount: integer().notNull().default(0),
    failedCount: integer().notNull().default(0),
    createdAt: createdAt(),
    confirmedAt: instant(),
    endedAt: instant(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    memberKey('student_job_by', [table.tenantId, table.by]),
    index().on(table.tenantId, table.by, table.createdAt),
    ...enumChecks(table),
    ...countChecks(table.total, table.doneCount, table.unchangedCount, table.failedCount),
  ],
)

/** One student of a bulk action. */
export const studentJobRow = pgTable(
  'student_job_row',
  {
    tenantId: tenantId().references(() => tenant.id),
    jobId: uuid().notNull(),
    studentId: uuid().notNull(),
    outcome: text({ enum: BULK_OUTCOMES }),
    /** Key of `student:reason`, for rows that were not done. */
    reason: text(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.jobId, table.studentId] }),
    foreignKey({
      name: 'student_job_row_job',
      columns: [table.tenantId, table.jobId],
      foreignColumns: [studentJob.tenantId, studentJob.id],
    }).onDelete('cascade'),
    studentKey('student_job_row_student', [table.tenantId, table.studentId]),
    index().on(table.tenantId, table.studentId),
    index('student_job_row_waiting').on(table.tenantId, table.jobId, table.studentId).where(isNull(table.outcome)),
    ...enumChecks(table),
    lengthCheck(table.reason, 60),
  ],
)
