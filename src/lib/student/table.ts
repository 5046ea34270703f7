import { sql } from 'drizzle-orm'
import { index, integer, pgTable, primaryKey, text, timestamp, unique, uuid } from 'drizzle-orm/pg-core'
import { countChecks, enumChecks, lengthCheck, percentCheck, versionChecks } from '../core/db/checks.ts'
import { bytes, createdAt, id, instant, keyTo, tenantId } from '../core/db/columns.ts'
import { STUDENT_STATUS } from '../core/shared/learning.ts'
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
    /** The email with the link; null when the link was not emailed. */
    mailId: uuid(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    memberKey('invitation_student', [table.tenantId, table.studentId]),
    memberKey('invitation_invited_by', [table.tenantId, table.invitedBy]),
    index().on(table.tenantId, table.studentId),
    index().on(table.tenantId, table.createdAt, table.id),
    lengthCheck(table.email, 254),
  ],
)

const IS_PRESENT = sql`deleted_at is null and anonymized_at is null`

/**
 * The columns by which the list of students is filtered and sorted, one row per membership of the account type student,
 * with the same id. Triggers copy name, email, phone, status and activity from `user`, `membership` and
 * `lesson_progress` and compute the progress, so that the table is correct whichever module writes (decision 170).
 */
export const student = pgTable(
  'student',
  {
    tenantId: tenantId().references(() => tenant.id),
    id: uuid().notNull(),
    userId: uuid().notNull(),
    name: text().notNull().default(''),
    // Surname, given name and patronymic.
    formalName: text().notNull().default(''),
    email: text().notNull(),
    phone: text(),
    status: text({ enum: STUDENT_STATUS }).notNull(),
    createdAt: createdAt(),
    blockedAt: instant(),
    // An email to the address was permanently refused: the status is unknown until the address is corrected.
    bouncedAt: instant(),
    lastActiveAt: instant(),
    // Percent of the published lessons of all courses with access; null without a course.
    progress: integer(),
    overdueCount: integer().notNull().default(0),
    // Increases with every change of the profile; a change that is based on an older one is refused.
    revision: integer().notNull().default(1),
    // Increases with every change of the values of custom fields.
    fieldsRevision: integer().notNull().default(1),
    // Deleted by staff; anonymised 30 days later, restored until then.
    deletedAt: instant(),
    anonymizedAt: instant(),
    // Sort keys. Under row-level security an index can be searched by columns only, not by expressions with coalesce.
    sortName: text().notNull().generatedAlwaysAs(sql`coalesce(nullif(name, ''), email)`),
    sortSurname: text().notNull().generatedAlwaysAs(sql`coalesce(nullif(formal_name, ''), email)`),
    sortActiveAt: timestamp({ withTimezone: true })
      .notNull()
      .generatedAlwaysAs(sql`coalesce(last_active_at, '-infinity')`),
    sortProgress: integer().notNull().generatedAlwaysAs(sql`coalesce(progress, -1)`),
    // The text that a search compares while it scans an index; `search_text` is a function of a migration.
    search: text().notNull().generatedAlwaysAs(sql`search_text(formal_name || ' ' || email)`),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    memberKey('student_membership', [table.tenantId, table.id]),
    index().on(table.tenantId, table.userId),
    // Covers the default list, so that it is counted and sorted within an index. With the sort keys: the students of a
    // course or group are found by id and sorted without reading the table.
    index('student_present')
      .on(
        table.tenantId,
        table.id,
        table.sortName,
        table.sortSurname,
        table.sortActiveAt,
        table.sortProgress,
        table.overdueCount,
        table.createdAt,
      )
      .where(IS_PRESENT),
    // Include the user and the text that a search compares, so that a common name is found by the index scan alone.
    index('student_name')
      .on(table.tenantId, sql`${table.sortName} collate natural_order`, table.id, table.userId, table.search)
      .where(IS_PRESENT),
    index('student_surname')
      .on(table.tenantId, sql`${table.sortSurname} collate natural_order`, table.id, table.userId, table.search)
      .where(IS_PRESENT),
    index('student_created')
      .on(table.tenantId, table.createdAt, table.id, table.userId, table.search)
      .where(IS_PRESENT),
    index('student_active')
      .on(table.tenantId, table.sortActiveAt, table.id, table.userId, table.search)
      .where(IS_PRESENT),
    index('student_progress')
      .on(table.tenantId, table.sortProgress, table.id, table.userId, table.search)
      .where(IS_PRESENT),
    index('student_blocked').on(table.tenantId, table.blockedAt).where(sql`blocked_at is not null`),
    index('student_overdue')
      .on(table.tenantId, table.overdueCount, table.id, table.userId, table.search)
      .where(IS_PRESENT),
    index('student_status')
      .on(table.tenantId, table.status, table.createdAt, table.id, table.userId, table.search)
      .where(IS_PRESENT),
    index('student_deleted').on(table.tenantId, table.deletedAt).where(sql`deleted_at is not null`),
    ...enumChecks(table),
    ...countChecks(table.overdueCount),
    ...versionChecks(table.revision, table.fieldsRevision),
    percentCheck(table.progress),
    lengthCheck(table.email, 254),
  ],
)

/** Foreign key to a student within the tenant. */
export const studentKey = keyTo(student)

/** A label that staff gives to students. */
export const studentTag = pgTable(
  'student_tag',
  {
    tenantId: tenantId().references(() => tenant.id),
    studentId: uuid().notNull(),
    tag: text().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.studentId, table.tag] }),
    studentKey('student_tag_student', [table.tenantId, table.studentId]),
    index().on(table.tenantId, table.tag, table.studentId),
    lengthCheck(table.tag, 40),
  ],
)

/** A view of the list that a team member has saved: the query of its URL under a name. */
export const studentView = pgTable(
  'student_view',
  {
    tenantId: tenantId().references(() => tenant.id),
    id: id(),
    memberId: uuid().notNull(),
    name: text().notNull(),
    query: text().notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    memberKey('student_view_member', [table.tenantId, table.memberId]),
    unique().on(table.tenantId, table.memberId, table.name),
    lengthCheck(table.name, 60),
    lengthCheck(table.query, 2000),
  ],
)

/** Courses whose lessons have changed: a job recomputes the progress of their students. */
export const staleProgress = pgTable(
  'stale_progress',
  {
    tenantId: tenantId().references(() => tenant.id),
    courseId: uuid().notNull(),
    since: createdAt(),
  },
  (table) => [primaryKey({ columns: [table.tenantId, table.courseId] })],
)
