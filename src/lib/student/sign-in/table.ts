import { index, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { lengthCheck } from '../../core/db/checks.ts'
import { bytes, createdAt, id, instant, tenantId } from '../../core/db/columns.ts'
import { tenant } from '../../tenant/table.ts'
import { memberKey } from '../../user/table.ts'
import { studentKey } from '../table.ts'

/** A corrected email address that waits for confirmation from the new mailbox. Only the digest of the link is stored. */
export const emailCorrection = pgTable(
  'email_correction',
  {
    tenantId: tenantId().references(() => tenant.id),
    id: id(),
    studentId: uuid().notNull(),
    requestedBy: uuid().notNull(),
    email: text().notNull(),
    tokenHash: bytes().notNull().unique(),
    createdAt: createdAt(),
    expiresAt: instant().notNull(),
    confirmedAt: instant(),
    canceledAt: instant(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    studentKey('email_correction_student', [table.tenantId, table.studentId]),
    memberKey('email_correction_requested_by', [table.tenantId, table.requestedBy]),
    index().on(table.tenantId, table.studentId),
    index().on(table.tenantId, table.requestedBy),
    lengthCheck(table.email, 254),
  ],
)

/** A link that signs a student in once. Only its digest is stored. */
export const loginLink = pgTable(
  'login_link',
  {
    tenantId: tenantId().references(() => tenant.id),
    id: id(),
    studentId: uuid().notNull(),
    requestedBy: uuid().notNull(),
    // The address of the account at that time: a link that was created before a correction is void.
    email: text().notNull(),
    tokenHash: bytes().notNull().unique(),
    createdAt: createdAt(),
    expiresAt: instant().notNull(),
    usedAt: instant(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    studentKey('login_link_student', [table.tenantId, table.studentId]),
    memberKey('login_link_requested_by', [table.tenantId, table.requestedBy]),
    index().on(table.tenantId, table.studentId),
    index().on(table.tenantId, table.requestedBy),
    lengthCheck(table.email, 254),
  ],
)
