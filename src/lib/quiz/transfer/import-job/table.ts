import { index, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { countChecks, enumChecks, lengthCheck, percentCheck } from '../../../core/db/checks.ts'
import { createdAt, id, instant, tenantId } from '../../../core/db/columns.ts'
import type { RequestingActor } from '../../../core/shared/actor.ts'
import { QUESTION_IMPORT_STATES } from '../../../core/shared/quiz.ts'
import { fileKey } from '../../../storage/table.ts'
import { tenant } from '../../../tenant/table.ts'
import { memberKey } from '../../../user/table.ts'
import type { ImportFailure, ReadFile } from '../schema.ts'

/** One import of a file of questions into a bank: its progress and result. */
export const questionImport = pgTable(
  'question_import',
  {
    tenantId: tenantId().references(() => tenant.id),
    id: id(),
    fileId: uuid().notNull(),
    fileName: text().notNull(),
    // Null: the general bank.
    bankId: uuid(),
    by: uuid().notNull(),
    // The actor of the job, so that a lost job can be created again.
    requestingActor: jsonb().$type<RequestingActor>().notNull(),
    state: text({ enum: QUESTION_IMPORT_STATES }).notNull().default('queued'),
    // Percent.
    progress: integer().notNull().default(0),
    // Files that an interrupted run has stored and no question uses yet.
    storedFileIds: jsonb().$type<string[]>().notNull().default([]),
    inserted: integer().notNull().default(0),
    result: jsonb().$type<ReadFile>(),
    failure: jsonb().$type<ImportFailure>(),
    createdAt: createdAt(),
    endedAt: instant(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    fileKey('question_import_file', [table.tenantId, table.fileId]).onDelete('cascade'),
    memberKey('question_import_by', [table.tenantId, table.by]),
    index().on(table.tenantId, table.by, table.createdAt),
    index().on(table.tenantId, table.fileId),
    ...enumChecks(table),
    ...countChecks(table.inserted),
    percentCheck(table.progress),
    lengthCheck(table.fileName, 255),
  ],
)
