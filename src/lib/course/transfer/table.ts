import { isNotNull } from 'drizzle-orm'
import { index, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { enumChecks, percentCheck } from '../../core/db/checks.ts'
import { createdAt, id, instant, tenantId } from '../../core/db/columns.ts'
import type { RequestingActor } from '../../core/shared/actor.ts'
import { DOCUMENT_SPLITS, TRANSFER_STATES } from '../../core/shared/learning.ts'
import { fileKey } from '../../storage/table.ts'
import { tenant } from '../../tenant/table.ts'
import { memberKey } from '../../user/table.ts'
import { courseKey } from '../table.ts'
import type { TransferFailure, TransferReport } from './schema.ts'

/** One import of a file into a course: its progress and report. */
export const transfer = pgTable(
  'transfer',
  {
    tenantId: tenantId().references(() => tenant.id),
    id: id(),
    fileId: uuid().notNull(),
    fileName: text().notNull(),
    by: uuid().notNull(),
    /** Split of a Word document; null: chosen automatically. */
    split: text({ enum: DOCUMENT_SPLITS }),
    /** The actor of the job, so that a lost job can be recreated. */
    requestingActor: jsonb().$type<RequestingActor>(),
    state: text({ enum: TRANSFER_STATES }).notNull().default('queued'),
    /** Percent. */
    progress: integer().notNull().default(0),
    courseId: uuid(),
    failure: jsonb().$type<TransferFailure>(),
    report: jsonb().$type<TransferReport>(),
    createdAt: createdAt(),
    endedAt: instant(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    fileKey('transfer_file', [table.tenantId, table.fileId]).onDelete('cascade'),
    memberKey('transfer_by', [table.tenantId, table.by]),
    courseKey('transfer_course', [table.tenantId, table.courseId]),
    index().on(table.tenantId, table.by, table.createdAt),
    index().on(table.tenantId, table.fileId),
    index().on(table.tenantId, table.courseId).where(isNotNull(table.courseId)),
    ...enumChecks(table),
    percentCheck(table.progress),
  ],
)
