import { sql } from 'drizzle-orm'
import { check, foreignKey, index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { countChecks, lengthCheck, rangeCheck } from '../../core/db/checks.ts'
import { bytes, createdAt, id, instant, tenantId } from '../../core/db/columns.ts'
import { tenant } from '../../tenant/table.ts'
import { memberKey } from '../../user/table.ts'
import { studyGroupKey } from '../learning/table.ts'
import { courseKey } from '../table.ts'

/**
 * A link through which several people join a course or a study group. It is found by the SHA-256 of its token; the token
 * itself is stored encrypted, because staff see the link again.
 */
export const invitationLink = pgTable(
  'invitation_link',
  {
    tenantId: tenantId().references(() => tenant.id),
    id: id(),
    courseId: uuid().notNull(),
    /** Null: a link to the course without a group. */
    groupId: uuid(),
    createdBy: uuid().notNull(),
    /** For staff: where the link is published. */
    label: text().notNull().default(''),
    tokenHash: bytes().notNull().unique(),
    encryptedToken: text().notNull(),
    /** Null: without a limit. */
    maxUses: integer(),
    useCount: integer().notNull().default(0),
    /** Only addresses of this domain; null for all. */
    emailDomain: text(),
    createdAt: createdAt(),
    expiresAt: instant(),
    revokedAt: instant(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    courseKey('invitation_link_course', [table.tenantId, table.courseId]),
    studyGroupKey('invitation_link_group', [table.tenantId, table.groupId]),
    memberKey('invitation_link_created_by', [table.tenantId, table.createdBy]),
    index().on(table.tenantId, table.courseId, table.createdAt),
    index().on(table.tenantId, table.groupId),
    index().on(table.tenantId, table.createdBy),
    rangeCheck(table.maxUses, 1, 10_000),
    ...countChecks(table.useCount),
    check('invitation_link_uses', sql`${table.useCount} <= ${table.maxUses}`),
    lengthCheck(table.label, 80),
    lengthCheck(table.encryptedToken, 300),
    lengthCheck(table.emailDomain, 253),
  ],
)

/** A student who joined through a link; each counts once. */
export const invitationLinkUse = pgTable(
  'invitation_link_use',
  {
    tenantId: tenantId().references(() => tenant.id),
    linkId: uuid().notNull(),
    studentId: uuid().notNull(),
    usedAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.linkId, table.studentId] }),
    foreignKey({
      name: 'invitation_link_use_link',
      columns: [table.tenantId, table.linkId],
      foreignColumns: [invitationLink.tenantId, invitationLink.id],
    }),
    memberKey('invitation_link_use_student', [table.tenantId, table.studentId]),
    index().on(table.tenantId, table.studentId),
  ],
)
