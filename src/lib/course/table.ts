import { isNotNull, sql } from 'drizzle-orm'
import {
  boolean,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  unique,
  uuid,
} from 'drizzle-orm/pg-core'
import { countChecks, enumChecks, lengthCheck, orderCheck, rangeCheck, versionChecks } from '../core/db/checks.ts'
import { createdAt, id, instant, keyTo, tenantId } from '../core/db/columns.ts'
import { COURSE_STATUS, LEVELS, PROGRESSIONS, START_FROM } from '../core/shared/learning.ts'
import type { LessonDoc } from '../core/shared/lesson-doc.ts'
import { LOCALES } from '../core/shared/locale.ts'
import { fileKey } from '../storage/table.ts'
import { tenant } from '../tenant/table.ts'
import { memberKey } from '../user/table.ts'
import type { AccessRule, CompletionRule } from './schema.ts'

export const course = pgTable(
  'course',
  {
    tenantId: tenantId().references(() => tenant.id),
    id: id(),
    title: text().notNull(),
    slug: text().notNull(),
    shortDescription: text().notNull().default(''),
    description: jsonb().$type<LessonDoc>(),
    coverFileId: uuid(),
    category: text(),
    tags: text().array().notNull().default([]),
    language: text({ enum: LOCALES }).notNull().default('uk'),
    level: text({ enum: LEVELS }),
    status: text({ enum: COURSE_STATUS }).notNull().default('draft'),
    progression: text({ enum: PROGRESSIONS }).notNull().default('free'),
    accessStart: instant(),
    accessEnd: instant(),
    // Start of the rules "after the start": the student's group, the grant, or the first opening.
    startFrom: text({ enum: START_FROM }).notNull().default('group'),
    promoVideoFileId: uuid(),
    // Empty: the title and the short description are used.
    seoTitle: text().notNull().default(''),
    seoDescription: text().notNull().default(''),
    // Set by the author instead of the sum of the lessons.
    estimatedMinutes: integer(),
    homeworkSlaHours: integer(),
    lessonNumbering: boolean().notNull().default(true),
    // Updated in the transaction of each change, so that lists need no counting.
    lessonCount: integer().notNull().default(0),
    publishedLessonCount: integer().notNull().default(0),
    studentCount: integer().notNull().default(0),
    version: integer().notNull().default(1),
    createdAt: createdAt(),
    updatedAt: createdAt(),
    publishedAt: instant(),
    archivedAt: instant(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    unique().on(table.tenantId, table.slug),
    fileKey('course_cover', [table.tenantId, table.coverFileId]),
    index().on(table.tenantId, table.status, table.updatedAt, table.id),
    index().on(table.tenantId, table.updatedAt, table.id),
    index().on(table.tenantId, table.coverFileId).where(isNotNull(table.coverFileId)),
    ...enumChecks(table),
    ...countChecks(table.lessonCount, table.publishedLessonCount, table.studentCount),
    ...versionChecks(table.version),
    rangeCheck(table.estimatedMinutes, 1, 100_000),
    rangeCheck(table.homeworkSlaHours, 1, 720),
    orderCheck(table.accessStart, table.accessEnd),
    lengthCheck(table.title, 160),
    lengthCheck(table.shortDescription, 300),
    lengthCheck(table.category, 60),
    lengthCheck(table.seoTitle, 70),
    lengthCheck(table.seoDescription, 200),
  ],
)

export const courseStaff = pgTable(
  'course_staff',
  {
    tenantId: tenantId().references(() => tenant.id),
    courseId: uuid().notNull(),
    memberId: uuid().notNull(),
    role: text({ enum: ['curator', 'expert'] }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.courseId, table.memberId, table.role] }),
    courseKey('course_staff_course', [table.tenantId, table.courseId]),
    memberKey('course_staff_member', [table.tenantId, table.memberId]),
    index().on(table.tenantId, table.memberId),
    ...enumChecks(table),
  ],
)

export const courseModule = pgTable(
  'course_module',
  {
    tenantId: tenantId().references(() => tenant.id),
    id: id(),
    courseId: uuid().notNull(),
    title: text().notNull(),
    description: text().notNull().default(''),
    position: integer().notNull(),
    availability: jsonb().$type<AccessRule>().notNull().default({ mode: 'open' }),
    hidden: boolean().notNull().default(false),
    deletedAt: instant(),
    deletedBy: uuid(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    courseKey('course_module_course', [table.tenantId, table.courseId]),
    index().on(table.tenantId, table.courseId, table.position),
    ...countChecks(table.position),
    lengthCheck(table.title, 160),
    lengthCheck(table.description, 1000),
  ],
)

export const lesson = pgTable(
  'lesson',
  {
    tenantId: tenantId().references(() => tenant.id),
    id: id(),
    courseId: uuid().notNull(),
    moduleId: uuid().notNull(),
    title: text().notNull(),
    position: integer().notNull(),
    // The author's draft; students see the published pair, which changes only on "Publish changes".
    blocks: jsonb().$type<LessonDoc>().notNull(),
    version: integer().notNull().default(1),
    publishedTitle: text(),
    publishedBlocks: jsonb().$type<LessonDoc>(),
    publishedVersion: integer(),
    publishedAt: instant(),
    // Tests in the published text, in reading order.
    testIds: jsonb()
      .$type<string[]>()
      .notNull()
      .generatedAlwaysAs(sql`coalesce(jsonb_path_query_array(published_blocks,
      '$.content[*] ? (@.type == "test" && @.attrs.testId != null).attrs.testId'), '[]'::jsonb)`),
    availability: jsonb().$type<AccessRule>().notNull().default({ mode: 'open' }),
    completionRule: jsonb().$type<CompletionRule>().notNull().default({ mode: 'manual' }),
    // Word count of the draft (an image counts as one): identifies an empty lesson without reading its text.
    words: integer().notNull().default(0),
    // Size of the draft in the units of LESSON_LIMITS; null until measured.
    nodes: integer(),
    characters: integer(),
    // Number of required tasks; updated by the homework module.
    taskCount: integer().notNull().default(0),
    durationMinutes: integer(),
    freePreview: boolean().notNull().default(false),
    required: boolean().notNull().default(true),
    hidden: boolean().notNull().default(false),
    updatedBy: uuid(),
    createdAt: createdAt(),
    updatedAt: createdAt(),
    deletedAt: instant(),
    deletedBy: uuid(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    courseKey('lesson_course', [table.tenantId, table.courseId]),
    foreignKey({
      name: 'lesson_module',
      columns: [table.tenantId, table.moduleId],
      foreignColumns: [courseModule.tenantId, courseModule.id],
    }),
    memberKey('lesson_updated_by', [table.tenantId, table.updatedBy]),
    index().on(table.tenantId, table.courseId, table.position),
    index().on(table.tenantId, table.moduleId, table.position),
    ...countChecks(table.position, table.words, table.nodes, table.characters, table.taskCount),
    ...versionChecks(table.version, table.publishedVersion),
    rangeCheck(table.durationMinutes, 1, 100_000),
    lengthCheck(table.title, 160),
    lengthCheck(table.publishedTitle, 160),
  ],
)

export const lessonRevision = pgTable(
  'lesson_revision',
  {
    tenantId: tenantId().references(() => tenant.id),
    lessonId: uuid().notNull(),
    version: integer().notNull(),
    kind: text({ enum: ['auto', 'named', 'restore', 'published'] }).notNull(),
    note: text(),
    title: text().notNull(),
    blocks: jsonb().$type<LessonDoc>().notNull(),
    by: uuid().notNull(),
    at: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.lessonId, table.version, table.kind] }),
    lessonKey('lesson_revision_lesson', [table.tenantId, table.lessonId]),
    memberKey('lesson_revision_by', [table.tenantId, table.by]),
    ...enumChecks(table),
    ...versionChecks(table.version),
    lengthCheck(table.title, 160),
    lengthCheck(table.note, 120),
  ],
)

/** Foreign key to the course within the tenant. */
export const courseKey = keyTo(course)

/** Foreign key to the lesson within the tenant. */
export const lessonKey = keyTo(lesson)
