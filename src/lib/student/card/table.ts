import { index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { lengthCheck, versionChecks } from '../../core/db/checks.ts'
import { createdAt, id, instant, tenantId } from '../../core/db/columns.ts'
import { tenant } from '../../tenant/table.ts'
import { memberKey } from '../../user/table.ts'
import { studentKey } from '../table.ts'

/** A note of the team about a student; not visible to the student. */
export const studentNote = pgTable(
  'student_note',
  {
    tenantId: tenantId().references(() => tenant.id),
    id: id(),
    studentId: uuid().notNull(),
    authorId: uuid().notNull(),
    text: text().notNull(),
    // Increases with every change; a change that is based on an older one is refused.
    revision: integer().notNull().default(1),
    createdAt: createdAt(),
    updatedAt: createdAt(),
    deletedAt: instant(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    studentKey('student_note_student', [table.tenantId, table.studentId]),
    memberKey('student_note_author', [table.tenantId, table.authorId]),
    index().on(table.tenantId, table.studentId, table.createdAt, table.id),
    index().on(table.tenantId, table.authorId),
    ...versionChecks(table.revision),
    lengthCheck(table.text, 5000),
  ],
)
