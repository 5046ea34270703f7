import { sql } from 'drizzle-orm'
import { index, pgTable, primaryKey, uuid } from 'drizzle-orm/pg-core'
import { bytes, createdAt, id, instant, tenantId } from '../../core/db/columns.ts'
import { tenant } from '../../tenant/table.ts'
import { memberKey } from '../../user/table.ts'
import { studentKey } from '../table.ts'

/** A team member views the school as one of its students, read-only, in one login session. */
export const impersonation = pgTable(
  'impersonation',
  {
    tenantId: tenantId().references(() => tenant.id),
    id: id(),
    memberId: uuid().notNull(),
    studentId: uuid().notNull(),
    // The login session of the member: the cookie is invalid in another browser.
    sessionId: uuid().notNull(),
    tokenHash: bytes().notNull().unique(),
    startedAt: createdAt(),
    expiresAt: instant().notNull(),
    // Set when the view is ended, or by a job after it has expired.
    endedAt: instant(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    memberKey('impersonation_member', [table.tenantId, table.memberId]),
    studentKey('impersonation_student', [table.tenantId, table.studentId]),
    index().on(table.tenantId, table.memberId),
    index().on(table.tenantId, table.studentId),
    index('impersonation_open').on(table.tenantId, table.expiresAt).where(sql`ended_at is null`),
  ],
)
