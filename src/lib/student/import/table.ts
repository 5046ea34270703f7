import { sql } from 'drizzle-orm'
import { foreignKey, index, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { countChecks, enumChecks, lengthCheck } from '../../core/db/checks.ts'
import { createdAt, instant, tenantId } from '../../core/db/columns.ts'
import type { RequestingActor } from '../../core/shared/actor.ts'
import {
  IMPORT_REASONS,
  IMPORT_STATES,
  IMPORT_VERDICTS,
  type ImportTarget,
  type ImportWarning,
} from '../../core/shared/student-import.ts'
import { tenant } from '../../tenant/table.ts'
import { memberKey } from '../../user/table.ts'
import { studentKey } from '../table.ts'

/** A table of students that is imported, with its mapping and progress. */
export const studentImport = pgTable(
  'student_import',
  {
    tenantId: tenantId().references(() => tenant.id),
    id: uuid().notNull(),
    by: uuid().notNull(),
    actor: jsonb().$type<RequestingActor>().notNull(),
    state: text({ enum: IMPORT_STATES }).notNull(),
    fileName: text().notNull(),
    /** Headings of the columns; generated ones where the table has none. */
    heading: jsonb().$type<string[]>().notNull(),
    /** The target of each column; null for a column that is not imported. */
    mapping: jsonb().$type<(ImportTarget | null)[]>().notNull(),
    /** Applies to all rows, in addition to the columns. */
    courseId: uuid(),
    groupId: uuid(),
    tag: text(),
    total: integer().notNull().default(0),
    createdAt: createdAt(),
    endedAt: instant(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    memberKey('student_import_by', [table.tenantId, table.by]),
    index().on(table.tenantId, table.by, table.createdAt),
    ...enumChecks(table),
    ...countChecks(table.total),
    lengthCheck(table.fileName, 200),
    lengthCheck(table.tag, 40),
  ],
)

/** One row of an imported table: its cells, the parsed values, and its verdict. */
export const studentImportRow = pgTable(
  'student_import_row',
  {
    tenantId: tenantId().references(() => tenant.id),
    importId: uuid().notNull(),
    /** Number of the row in the table, from 1. */
    number: integer().notNull(),
    cells: jsonb().$type<string[]>().notNull(),
    email: text(),
    firstName: text().notNull().default(''),
    lastName: text().notNull().default(''),
    patronymic: text().notNull().default(''),
    phone: text(),
    tags: text().array().notNull().default([]),
    courseId: uuid(),
    groupId: uuid(),
    /** Values of custom fields by field id. */
    fieldValues: jsonb().$type<Record<string, string>>().notNull().default({}),
    verdict: text({ enum: IMPORT_VERDICTS }),
    reason: text({ enum: IMPORT_REASONS }),
    /** What is not imported, or not as typed, although the person is. */
    warnings: jsonb().$type<ImportWarning[]>().notNull().default([]),
    studentId: uuid(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.importId, table.number] }),
    foreignKey({
      name: 'student_import_row_import',
      columns: [table.tenantId, table.importId],
      foreignColumns: [studentImport.tenantId, studentImport.id],
    }).onDelete('cascade'),
    studentKey('student_import_row_student', [table.tenantId, table.studentId]),
    index().on(table.tenantId, table.studentId).where(sql`student_id is not null`),
    index('student_import_row_waiting')
      .on(table.tenantId, table.importId, table.number)
      .where(sql`verdict in ('new', 'existing')`),
    index().on(table.tenantId, table.importId, table.verdict, table.number),
    ...enumChecks(table),
    ...countChecks(table.number),
    lengthCheck(table.email, 254),
    lengthCheck(table.firstName, 80),
    lengthCheck(table.lastName, 80),
    lengthCheck(table.patronymic, 80),
    lengthCheck(table.phone, 40),
  ],
)

/** The target as which a column with this heading was last imported. */
export const studentImportColumn = pgTable(
  'student_import_column',
  {
    tenantId: tenantId().references(() => tenant.id),
    /** In lower case. */
    heading: text().notNull(),
    field: text().$type<ImportTarget>(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.heading] }),
    lengthCheck(table.heading, 200),
    lengthCheck(table.field, 60),
  ],
)
