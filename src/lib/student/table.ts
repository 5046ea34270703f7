import { index, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { lengthCheck } from '../core/db/checks.ts'
import { bytes, createdAt, id, instant, tenantId } from '../core/db/columns.ts'
import { tenant } from '../tenant/table.ts'
import { memberKey } from '../user/table.ts'

/** An invitation of a student. The link has a random token; only its SHA-256 is stored. */
export const invitation = pgTable(
  'invitation',
  {
    tenantId: tenantId().references(() => tenant.id),
    id: id(),
    studentId: uuid().notNull(),
    invitedBy: uuid().notNull(),
    email: text().notNull(),
    tokenHash: bytes().notNull().unique(),
    message: text(),
    createdAt: createdAt(),
    openedAt: instant(),
    acceptedAt: instant(),
    expiresAt: instant().notNull(),
    revokedAt: instant(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    memberKey('invitation_student', [table.tenantId, table.studentId]),
    memberKey('invitation_invited_by', [table.tenantId, table.invitedBy]),
    index().on(table.tenantId, table.studentId),
    lengthCheck(table.email, 254),
  ],
)
