import { sql } from 'drizzle-orm'
import { index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { countChecks, enumChecks, lengthCheck } from '../../core/db/checks.ts'
import { createdAt, id, instant, keyTo, tenantId } from '../../core/db/columns.ts'
import { tenant } from '../../tenant/table.ts'
import { studentKey } from '../table.ts'
import { FIELD_KINDS } from './schema.ts'

/** A field that a school has added to its students. A deleted one keeps its values, so that it can be restored. */
export const studentField = pgTable(
  'student_field',
  {
    tenantId: tenantId().references(() => tenant.id),
    id: id(),
    name: text().notNull(),
    kind: text({ enum: FIELD_KINDS }).notNull(),
    // The choices of a field of the kind `choice`.
    options: text().array().notNull().default([]),
    position: integer().notNull(),
    createdAt: createdAt(),
    deletedAt: instant(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    index().on(table.tenantId, table.position).where(sql`deleted_at is null`),
    ...enumChecks(table),
    ...countChecks(table.position),
    lengthCheck(table.name, 60),
  ],
)

const fieldKey = keyTo(studentField)

/**
 * The value of a student in a custom field. Numbers have a decimal point, days are `2026-11-22`; an empty value has no
 * row.
 */
export const studentFieldValue = pgTable(
  'student_field_value',
  {
    tenantId: tenantId().references(() => tenant.id),
    studentId: uuid().notNull(),
    fieldId: uuid().notNull(),
    value: text().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.studentId, table.fieldId] }),
    studentKey('student_field_value_student', [table.tenantId, table.studentId]),
    fieldKey('student_field_value_field', [table.tenantId, table.fieldId]),
    index().on(table.tenantId, table.fieldId, table.value),
    lengthCheck(table.value, 500),
  ],
)
