import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { countChecks, enumChecks, lengthCheck, orderCheck, rangeCheck, versionChecks } from '../../core/db/checks.ts'
import { createdAt, id, instant, keyTo, tenantId } from '../../core/db/columns.ts'
import { tenant } from '../../tenant/table.ts'
import { memberKey } from '../../user/table.ts'
import { enrolmentKey, programKey } from '../program/table.ts'
import { BOOKING_STATES, type BookingAnswer, type BookingEntry, type Goal } from './schema.ts'

/**
 * A time of a mentor that is taken: by one booking, by several of a group, or by a hold. The exclusion constraint
 * `mentor_session_no_overlap` (migration) lets no two of a mentor overlap, with their buffers.
 */
export const mentorSession = pgTable(
  'mentor_session',
  {
    tenantId: tenantId().references(() => tenant.id),
    id: id(),
    programId: uuid().notNull(),
    mentorId: uuid().notNull(),
    startAt: instant().notNull(),
    endAt: instant().notNull(),
    // The time with the buffers.
    busyFrom: instant().notNull(),
    busyTo: instant().notNull(),
    seats: integer().notNull(),
    createdAt: createdAt(),
    // The mentor agrees that the session is recorded.
    recordingConsentAt: instant(),
    // Set when the last booking was canceled; the time is free again.
    releasedAt: instant(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    programKey('mentor_session_program', [table.tenantId, table.programId]),
    memberKey('mentor_session_mentor', [table.tenantId, table.mentorId]),
    index().on(table.tenantId, table.mentorId, table.startAt),
    index().on(table.tenantId, table.programId, table.startAt),
    index().on(table.tenantId, table.startAt, table.id),
    orderCheck(table.startAt, table.endAt),
    orderCheck(table.busyFrom, table.busyTo),
    rangeCheck(table.seats, 1, 100),
  ],
)

/** Foreign key to a taken time of a mentor. */
export const mentorSessionKey = keyTo(mentorSession)

/** A seat that is reserved while the student answers the questions. Its id becomes that of the booking. */
export const bookingHold = pgTable(
  'booking_hold',
  {
    tenantId: tenantId().references(() => tenant.id),
    id: id(),
    sessionId: uuid().notNull(),
    enrolmentId: uuid().notNull(),
    studentId: uuid().notNull(),
    expiresAt: instant().notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    mentorSessionKey('booking_hold_session', [table.tenantId, table.sessionId]),
    enrolmentKey('booking_hold_enrolment', [table.tenantId, table.enrolmentId]),
    memberKey('booking_hold_student', [table.tenantId, table.studentId]),
    index().on(table.tenantId, table.sessionId),
    index().on(table.tenantId, table.studentId),
    uniqueIndex('booking_hold_one').on(table.tenantId, table.enrolmentId),
    index('booking_hold_expiry').on(table.tenantId, table.expiresAt),
  ],
)

/** A session booked by a student, with what both prepare and write down. */
export const booking = pgTable(
  'booking',
  {
    tenantId: tenantId().references(() => tenant.id),
    id: id(),
    sessionId: uuid().notNull(),
    enrolmentId: uuid().notNull(),
    studentId: uuid().notNull(),
    state: text({ enum: BOOKING_STATES }).notNull(),
    /** Counts towards the student's sessions. */
    usesCredit: boolean().notNull().default(true),
    answers: jsonb().$type<BookingAnswer[]>().notNull().default([]),
    // Increases with every change that calendars show (SEQUENCE of iCalendar).
    sequence: integer().notNull().default(0),
    movedCount: integer().notNull().default(0),
    history: jsonb().$type<BookingEntry[]>().notNull().default([]),
    sharedNotes: text().notNull().default(''),
    privateNotes: text().notNull().default(''),
    homework: text().notNull().default(''),
    goals: jsonb().$type<Goal[]>().notNull().default([]),
    notesVersion: integer().notNull().default(1),
    privateVersion: integer().notNull().default(1),
    rating: integer(),
    ratingText: text().notNull().default(''),
    // The student agrees that the session is recorded.
    recordingConsentAt: instant(),
    createdAt: createdAt(),
    updatedAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    mentorSessionKey('booking_session', [table.tenantId, table.sessionId]),
    enrolmentKey('booking_enrolment', [table.tenantId, table.enrolmentId]),
    memberKey('booking_student', [table.tenantId, table.studentId]),
    index().on(table.tenantId, table.sessionId),
    index().on(table.tenantId, table.enrolmentId),
    index().on(table.tenantId, table.studentId, table.createdAt),
    index('booking_requested').on(table.tenantId, table.sessionId).where(sql`state = 'requested'`),
    uniqueIndex('booking_once')
      .on(table.tenantId, table.sessionId, table.studentId)
      .where(sql`state in ('requested', 'confirmed')`),
    ...enumChecks(table),
    ...countChecks(table.sequence, table.movedCount),
    ...versionChecks(table.notesVersion, table.privateVersion),
    rangeCheck(table.rating, 1, 5),
    lengthCheck(table.sharedNotes, 20_000),
    lengthCheck(table.privateNotes, 20_000),
    lengthCheck(table.homework, 4000),
    lengthCheck(table.ratingText, 2000),
  ],
)

/** A student who wants to be notified when a time of a program becomes free. */
export const bookingWaitlist = pgTable(
  'booking_waitlist',
  {
    tenantId: tenantId().references(() => tenant.id),
    programId: uuid().notNull(),
    studentId: uuid().notNull(),
    createdAt: createdAt(),
    notifiedAt: instant(),
    // Only starts in this period are wanted; both null: any time.
    wantedFrom: instant(),
    wantedTo: instant(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.programId, table.studentId] }),
    programKey('booking_waitlist_program', [table.tenantId, table.programId]),
    memberKey('booking_waitlist_student', [table.tenantId, table.studentId]),
    index().on(table.tenantId, table.studentId),
    orderCheck(table.wantedFrom, table.wantedTo),
    check('booking_waitlist_wanted_both', sql`(${table.wantedFrom} is null) = (${table.wantedTo} is null)`),
  ],
)
