import { type ExtraConfigColumn, index, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { lengthCheck } from '../../core/db/checks.ts'
import { bytes, createdAt, id, instant, tenantId } from '../../core/db/columns.ts'
import { tenant } from '../../tenant/table.ts'
import { memberKey } from '../../user/table.ts'
import { studentKey } from '../table.ts'

/** Columns of a link that staff request for a student. Only the digest of its token is stored. */
const linkColumns = () => ({
  tenantId: tenantId().references(() => tenant.id),
  id: id(),
  studentId: uuid().notNull(),
  requestedBy: uuid().notNull(),
  email: text().notNull(),
  tokenHash: bytes().notNull().unique(),
  createdAt: createdAt(),
  expiresAt: instant().notNull(),
})

type LinkTable = Record<'tenantId' | 'id' | 'studentId' | 'requestedBy' | 'email', ExtraConfigColumn>

const linkConstraints = (name: string, table: LinkTable) => [
  primaryKey({ columns: [table.tenantId, table.id] }),
  studentKey(`${name}_student`, [table.tenantId, table.studentId]),
  memberKey(`${name}_requested_by`, [table.tenantId, table.requestedBy]),
  index().on(table.tenantId, table.studentId),
  index().on(table.tenantId, table.requestedBy),
  lengthCheck(table.email, 254),
]

/** A corrected email address that waits for confirmation from the new mailbox. */
export const emailCorrection = pgTable(
  'email_correction',
  { ...linkColumns(), confirmedAt: instant(), canceledAt: instant() },
  (table) => linkConstraints('email_correction', table),
)

/**
 * A link that signs a student in once. `email` is the address of the account at that time: a correction invalidates
 * earlier links.
 */
export const loginLink = pgTable('login_link', { ...linkColumns(), usedAt: instant() }, (table) =>
  linkConstraints('login_link', table),
)
