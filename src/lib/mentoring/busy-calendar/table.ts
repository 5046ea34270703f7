import { index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { countChecks, enumChecks, lengthCheck, orderCheck, versionChecks } from '../../core/db/checks.ts'
import { createdAt, instant, tenantId } from '../../core/db/columns.ts'
import { tenant } from '../../tenant/table.ts'
import { memberKey } from '../../user/table.ts'
import { CALENDAR_ERRORS } from './schema.ts'

/** The calendar of another program whose events are busy times of a team member. */
export const busyCalendar = pgTable(
  'busy_calendar',
  {
    tenantId: tenantId().references(() => tenant.id),
    memberId: uuid().notNull(),
    // Encrypted: the address of a private calendar is a secret.
    address: text().notNull(),
    // Increases with every new address, so that a job does not store the times of an old one.
    version: integer().notNull().default(1),
    error: text({ enum: CALENDAR_ERRORS }),
    // ETag of the calendar that was read last.
    etag: text(),
    timeCount: integer().notNull().default(0),
    // Events and properties that could not be read.
    skippedCount: integer().notNull().default(0),
    // Null: not read yet.
    readAt: instant(),
    /** When the job tries next. */
    dueAt: instant().notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.memberId] }),
    memberKey('busy_calendar_member', [table.tenantId, table.memberId]),
    index().on(table.tenantId, table.dueAt),
    ...enumChecks(table),
    ...versionChecks(table.version),
    ...countChecks(table.timeCount, table.skippedCount),
    lengthCheck(table.address, 4000),
    lengthCheck(table.etag, 400),
  ],
)

/** A time in which a member is busy by that calendar. Titles are not stored. */
export const busyTime = pgTable(
  'busy_time',
  {
    tenantId: tenantId().references(() => tenant.id),
    memberId: uuid().notNull(),
    startAt: instant().notNull(),
    endAt: instant().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.memberId, table.startAt] }),
    memberKey('busy_time_member', [table.tenantId, table.memberId]),
    orderCheck(table.startAt, table.endAt),
  ],
)
