import { isNotNull, sql } from 'drizzle-orm'
import { boolean, index, integer, jsonb, pgTable, primaryKey, text, unique, uuid } from 'drizzle-orm/pg-core'
import { countChecks, enumChecks, lengthCheck, orderCheck, rangeCheck, versionChecks } from '../../core/db/checks.ts'
import { createdAt, id, instant, keyTo, tenantId } from '../../core/db/columns.ts'
import { GROUP_COLORS, OVERRIDE_EFFECTS, SUBMISSION_STATES } from '../../core/shared/learning.ts'
import { tenant } from '../../tenant/table.ts'
import { memberKey } from '../../user/table.ts'
import type { AccessAction, AccessTarget } from '../access/schema.ts'
import type { FrozenInterval, WatchedRanges } from '../schema.ts'
import { courseKey, lessonKey } from '../table.ts'

/** Access of a student to a course. Access is the union of a student's grants. */
export const accessGrant = pgTable(
  'access_grant',
  {
    tenantId: tenantId().references(() => tenant.id),
    id: id(),
    studentId: uuid().notNull(),
    courseId: uuid().notNull(),
    moduleIds: uuid().array(),
    // What the student has bought: curators review homework, and a certificate can be earned.
    withReview: boolean().notNull().default(true),
    withCertificate: boolean().notNull().default(true),
    sourceType: text({ enum: ['order', 'invite', 'manual', 'group', 'free'] }).notNull(),
    sourceId: uuid(),
    // Of a membership of a group: the order that has given it.
    orderId: uuid(),
    startsAt: createdAt(),
    endsAt: instant(),
    frozen: jsonb().$type<FrozenInterval[]>().notNull().default([]),
    revokedAt: instant(),
    revokedReason: text(),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    unique().on(table.tenantId, table.studentId, table.courseId, table.sourceType, table.sourceId).nullsNotDistinct(),
    memberKey('access_grant_student', [table.tenantId, table.studentId]),
    courseKey('access_grant_course', [table.tenantId, table.courseId]),
    index().on(table.tenantId, table.courseId, table.studentId),
    index('access_grant_group').on(table.tenantId, table.sourceId, table.studentId).where(sql`source_type = 'group'`),
    // Students who have access now: lists of students can be filtered by the index alone.
    index('access_grant_current').on(table.tenantId, table.courseId, table.studentId).where(sql`revoked_at is null`),
    index('access_grant_current_group')
      .on(table.tenantId, table.sourceId, table.studentId)
      .where(sql`revoked_at is null and source_type = 'group'`),
    index('access_grant_order_group').on(table.tenantId, table.orderId).where(isNotNull(table.orderId)),
    ...enumChecks(table),
  ],
)

export const lessonProgress = pgTable(
  'lesson_progress',
  {
    tenantId: tenantId().references(() => tenant.id),
    studentId: uuid().notNull(),
    lessonId: uuid().notNull(),
    courseId: uuid().notNull(),
    openedAt: createdAt(),
    lastOpenedAt: createdAt(),
    completedAt: instant(),
    // Watched ranges by media file, merged; they only grow.
    watched: jsonb().$type<WatchedRanges>(),
    // Written by the homework and quiz modules.
    homeworkState: text({ enum: SUBMISSION_STATES }),
    homeworkAcceptedAt: instant(),
    testPassedAt: instant(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.studentId, table.lessonId] }),
    memberKey('lesson_progress_student', [table.tenantId, table.studentId]),
    lessonKey('lesson_progress_lesson', [table.tenantId, table.lessonId]),
    index().on(table.tenantId, table.courseId, table.studentId),
    index().on(table.tenantId, table.completedAt),
    index().on(table.tenantId, table.lastOpenedAt),
    index().on(table.tenantId, table.lessonId),
    ...enumChecks(table),
  ],
)

/**
 * How many visible lessons a student with access to a course has completed. The function refresh_student_progress of
 * the database updates it together with the progress of the student (decision 170).
 */
export const courseProgress = pgTable(
  'course_progress',
  {
    tenantId: tenantId().references(() => tenant.id),
    courseId: uuid().notNull(),
    studentId: uuid().notNull(),
    completed: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.courseId, table.studentId] }),
    courseKey('course_progress_course', [table.tenantId, table.courseId]),
    memberKey('course_progress_student', [table.tenantId, table.studentId]),
    index().on(table.tenantId, table.studentId),
    ...countChecks(table.completed),
  ],
)

/** Students who learn together. A member has a grant whose source is the group. */
export const studyGroup = pgTable(
  'study_group',
  {
    tenantId: tenantId().references(() => tenant.id),
    id: id(),
    courseId: uuid().notNull(),
    name: text().notNull(),
    startAt: instant().notNull(),
    endAt: instant(),
    timeZone: text().notNull().default('Europe/Kyiv'),
    // Null: as many students as the plan allows.
    seats: integer(),
    // Calendar days by which the dates of the lessons' rules move for the group.
    scheduleOffsetDays: integer().notNull().default(0),
    color: text({ enum: GROUP_COLORS }),
    // Set when staff finish the group; a group whose end has passed is finished too.
    finishedAt: instant(),
    archivedAt: instant(),
    createdAt: createdAt(),
    revision: integer().notNull().default(1),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    courseKey('study_group_course', [table.tenantId, table.courseId]),
    index().on(table.tenantId, table.courseId, table.startAt),
    index().on(table.tenantId, table.startAt, table.id),
    orderCheck(table.startAt, table.endAt),
    rangeCheck(table.seats, 1, 10_000),
    rangeCheck(table.scheduleOffsetDays, -365, 365),
    ...enumChecks(table),
    ...versionChecks(table.revision),
    lengthCheck(table.name, 120),
    lengthCheck(table.timeZone, 64),
  ],
)

/** Foreign key to a study group within the tenant. */
export const studyGroupKey = keyTo(studyGroup)

/** An exception from the rules of lessons: open, close or shift, for a student, a group or the whole course. */
export const accessOverride = pgTable(
  'access_override',
  {
    tenantId: tenantId().references(() => tenant.id),
    id: id(),
    courseId: uuid().notNull(),
    // Neither: applies to everybody in the course.
    studentId: uuid(),
    groupId: uuid(),
    // Null: every lesson of the course.
    lessonId: uuid(),
    effect: text({ enum: OVERRIDE_EFFECTS }).notNull(),
    days: integer().notNull().default(0),
    note: text().notNull().default(''),
    by: uuid().notNull(),
    at: createdAt(),
    endedAt: instant(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    courseKey('access_override_course', [table.tenantId, table.courseId]),
    lessonKey('access_override_lesson', [table.tenantId, table.lessonId]),
    memberKey('access_override_student', [table.tenantId, table.studentId]),
    memberKey('access_override_by', [table.tenantId, table.by]),
    index().on(table.tenantId, table.courseId, table.studentId),
    index().on(table.tenantId, table.studentId).where(isNotNull(table.studentId)),
    index().on(table.tenantId, table.lessonId).where(isNotNull(table.lessonId)),
    ...enumChecks(table),
    rangeCheck(table.days, -365, 365),
  ],
)

/** The requested change. */
interface RequestedChange {
  target: AccessTarget
  change: AccessAction
  note: string
  students: number
}

/** A change of students' access with the previous state, for undo. */
export const accessChange = pgTable(
  'access_change',
  {
    tenantId: tenantId().references(() => tenant.id),
    id: id(),
    courseId: uuid().notNull(),
    by: uuid().notNull(),
    at: createdAt(),
    requestedChange: jsonb().$type<RequestedChange>().notNull(),
    before: jsonb().$type<Record<string, unknown>>().notNull(),
    undoneAt: instant(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    courseKey('access_change_course', [table.tenantId, table.courseId]),
    memberKey('access_change_by', [table.tenantId, table.by]),
    index().on(table.tenantId, table.courseId, table.at),
  ],
)

/** A student's note of a lesson. */
export const lessonNote = pgTable(
  'lesson_note',
  {
    tenantId: tenantId().references(() => tenant.id),
    studentId: uuid().notNull(),
    lessonId: uuid().notNull(),
    text: text().notNull().default(''),
    version: integer().notNull().default(1),
    updatedAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.studentId, table.lessonId] }),
    memberKey('lesson_note_student', [table.tenantId, table.studentId]),
    lessonKey('lesson_note_lesson', [table.tenantId, table.lessonId]),
    index().on(table.tenantId, table.lessonId),
    ...versionChecks(table.version),
    lengthCheck(table.text, 20_000),
  ],
)
