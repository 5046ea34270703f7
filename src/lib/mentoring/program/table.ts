import { isNotNull, sql } from 'drizzle-orm'
import { index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { enumChecks, lengthCheck, rangeCheck, versionChecks } from '../../core/db/checks.ts'
import { createdAt, id, instant, keyTo, tenantId } from '../../core/db/columns.ts'
import { fileKey } from '../../storage/table.ts'
import { tenant } from '../../tenant/table.ts'
import { memberKey } from '../../user/table.ts'
import {
  ASSIGNMENTS,
  CONFIRMATIONS,
  ENROLMENT_SOURCES,
  PROGRAM_FORMATS,
  PROGRAM_PLACES,
  PROGRAM_STATUSES,
  type ProgramQuestion,
} from './schema.ts'

/** A mentoring program: how sessions with its mentors are booked. */
export const mentorProgram = pgTable(
  'mentor_program',
  {
    tenantId: tenantId().references(() => tenant.id),
    id: id(),
    title: text().notNull(),
    description: text().notNull().default(''),
    coverFileId: uuid(),
    status: text({ enum: PROGRAM_STATUSES }).notNull().default('draft'),
    format: text({ enum: PROGRAM_FORMATS }).notNull().default('individual'),
    seats: integer().notNull().default(1),
    sessionMinutes: integer().notNull().default(60),
    bufferBefore: integer().notNull().default(0),
    bufferAfter: integer().notNull().default(0),
    minNoticeHours: integer().notNull().default(12),
    maxDaysAhead: integer().notNull().default(60),
    slotStepMinutes: integer().notNull().default(30),
    perDayMax: integer(),
    perStudentOpenMax: integer().notNull().default(1),
    sessionsIncluded: integer(),
    cancelHours: integer().notNull().default(12),
    reschedules: integer().notNull().default(2),
    confirmation: text({ enum: CONFIRMATIONS }).notNull().default('auto'),
    assignment: text({ enum: ASSIGNMENTS }).notNull().default('studentChooses'),
    place: text({ enum: PROGRAM_PLACES }).notNull().default('link'),
    placeText: text().notNull().default(''),
    questions: jsonb().$type<ProgramQuestion[]>().notNull().default([]),
    version: integer().notNull().default(1),
    createdAt: createdAt(),
    updatedAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    index().on(table.tenantId, table.status, table.updatedAt, table.id),
    fileKey('mentor_program_cover', [table.tenantId, table.coverFileId]),
    index().on(table.tenantId, table.coverFileId).where(isNotNull(table.coverFileId)),
    ...enumChecks(table),
    ...versionChecks(table.version),
    rangeCheck(table.seats, 1, 100),
    rangeCheck(table.sessionMinutes, 15, 180),
    rangeCheck(table.bufferBefore, 0, 120),
    rangeCheck(table.bufferAfter, 0, 120),
    rangeCheck(table.minNoticeHours, 0, 720),
    rangeCheck(table.maxDaysAhead, 1, 180),
    rangeCheck(table.slotStepMinutes, 5, 240),
    rangeCheck(table.perDayMax, 1, 50),
    rangeCheck(table.perStudentOpenMax, 1, 50),
    rangeCheck(table.sessionsIncluded, 1, 1000),
    rangeCheck(table.cancelHours, 0, 720),
    rangeCheck(table.reschedules, 0, 20),
    lengthCheck(table.title, 160),
    lengthCheck(table.description, 4000),
    lengthCheck(table.placeText, 500),
  ],
)

/** Foreign key to a program. */
export const programKey = keyTo(mentorProgram)

/** A mentor of a program. */
export const programMentor = pgTable(
  'program_mentor',
  {
    tenantId: tenantId().references(() => tenant.id),
    programId: uuid().notNull(),
    memberId: uuid().notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.programId, table.memberId] }),
    programKey('program_mentor_program', [table.tenantId, table.programId]),
    memberKey('program_mentor_member', [table.tenantId, table.memberId]),
    index().on(table.tenantId, table.memberId),
  ],
)

/** The access of a student to a program, with the number of sessions. */
export const programEnrolment = pgTable(
  'program_enrolment',
  {
    tenantId: tenantId().references(() => tenant.id),
    id: id(),
    programId: uuid().notNull(),
    studentId: uuid().notNull(),
    /** The only mentor of the student, in a program with the assignment `fixed`. */
    mentorId: uuid(),
    // Null: without a limit.
    sessionsTotal: integer(),
    source: text({ enum: ENROLMENT_SOURCES }).notNull(),
    // The group or order that gave the access.
    sourceId: uuid(),
    createdAt: createdAt(),
    revokedAt: instant(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    programKey('program_enrolment_program', [table.tenantId, table.programId]),
    memberKey('program_enrolment_student', [table.tenantId, table.studentId]),
    memberKey('program_enrolment_mentor', [table.tenantId, table.mentorId]),
    uniqueIndex('program_enrolment_open')
      .on(table.tenantId, table.programId, table.studentId)
      .where(sql`revoked_at is null`),
    index().on(table.tenantId, table.programId, table.createdAt, table.id),
    index().on(table.tenantId, table.studentId),
    index().on(table.tenantId, table.mentorId).where(isNotNull(table.mentorId)),
    ...enumChecks(table),
    rangeCheck(table.sessionsTotal, 1, 1000),
  ],
)

/** Foreign key to an enrolment. */
export const enrolmentKey = keyTo(programEnrolment)

/** The sessions that an order has added to the balance of a student. */
export const programPurchase = pgTable(
  'program_purchase',
  {
    tenantId: tenantId().references(() => tenant.id),
    // Of the module of offers, which is above this one.
    orderId: uuid().notNull(),
    enrolmentId: uuid().notNull(),
    // Null: without a limit.
    sessions: integer(),
    createdAt: createdAt(),
    // The money was returned.
    endedAt: instant(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.orderId] }),
    enrolmentKey('program_purchase_enrolment', [table.tenantId, table.enrolmentId]),
    index().on(table.tenantId, table.enrolmentId),
    rangeCheck(table.sessions, 1, 1000),
  ],
)
