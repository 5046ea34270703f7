import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  index,
  integer,
  jsonb,
  numeric,
  pgTable,
  primaryKey,
  text,
  unique,
  uuid,
} from 'drizzle-orm/pg-core'
import { DAY_SECONDS } from '#lib/core/shared/time.ts'
import {
  countChecks,
  enumChecks,
  lengthCheck,
  orderCheck,
  percentCheck,
  rangeCheck,
  versionChecks,
} from '../core/db/checks.ts'
import { createdAt, id, instant, keyTo, tenantId } from '../core/db/columns.ts'
import type { LessonDoc } from '../core/shared/lesson-doc.ts'
import { FEEDBACK_TIMES, GRADE_OF, NAVIGATIONS, ON_EXPIRY, QUIZ_STATUS, SECTION_PICKS } from '../core/shared/quiz.ts'
import { studyGroupKey } from '../course/learning/table.ts'
import { courseKey } from '../course/table.ts'
import { tenant } from '../tenant/table.ts'
import { memberKey } from '../user/table.ts'
import { questionBankKey, questionKey } from './question/table.ts'
import type { GradeBand, ShowSettings } from './schema.ts'

/** Points with two decimals. */
const points = () => numeric({ precision: 9, scale: 2, mode: 'number' })

/** A test with its settings. */
export const quiz = pgTable(
  'quiz',
  {
    tenantId: tenantId().references(() => tenant.id),
    id: id(),
    // Null: a test that belongs to no course; only the team sees it.
    courseId: uuid(),
    title: text().notNull(),
    intro: jsonb().$type<LessonDoc>(),
    status: text({ enum: QUIZ_STATUS }).notNull().default('draft'),
    openAt: instant(),
    closeAt: instant(),
    // Null: without a limit.
    timeLimitSec: integer(),
    onExpiry: text({ enum: ON_EXPIRY }).notNull().default('autoSubmit'),
    graceSec: integer().notNull().default(60),
    networkGraceSec: integer().notNull().default(15),
    // Null: any number.
    attempts: integer(),
    delayMinutes: integer().notNull().default(0),
    gradeOf: text({ enum: GRADE_OF }).notNull().default('best'),
    passPercent: integer().notNull().default(60),
    shuffleQuestions: boolean().notNull().default(false),
    shuffleOptions: boolean().notNull().default(true),
    // Questions on a page; null: all.
    perPage: integer(),
    navigation: text({ enum: NAVIGATIONS }).notNull().default('free'),
    feedback: text({ enum: FEEDBACK_TIMES }).notNull().default('afterAttempt'),
    show: jsonb().$type<ShowSettings>().notNull(),
    gradeBands: jsonb().$type<GradeBand[]>().notNull().default([]),
    negativeMarking: boolean().notNull().default(false),
    partialCredit: boolean().notNull().default(true),
    // Typed by students before an attempt starts; not a secret of an account.
    password: text(),
    required: boolean().notNull().default(true),
    hidden: boolean().notNull().default(false),
    revision: integer().notNull().default(1),
    authorId: uuid().notNull(),
    createdAt: createdAt(),
    updatedAt: createdAt(),
    deletedAt: instant(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    courseKey('quiz_course', [table.tenantId, table.courseId]),
    memberKey('quiz_author', [table.tenantId, table.authorId]),
    index().on(table.tenantId, table.courseId, table.updatedAt, table.id),
    index().on(table.tenantId, table.updatedAt, table.id),
    index().on(table.tenantId, table.authorId),
    ...enumChecks(table),
    ...countChecks(table.delayMinutes),
    ...versionChecks(table.revision),
    orderCheck(table.openAt, table.closeAt),
    rangeCheck(table.timeLimitSec, 30, 7 * DAY_SECONDS),
    rangeCheck(table.graceSec, 0, DAY_SECONDS),
    rangeCheck(table.networkGraceSec, 0, 120),
    rangeCheck(table.attempts, 1, 100),
    percentCheck(table.passPercent),
    rangeCheck(table.perPage, 1, 100),
    lengthCheck(table.title, 160),
    lengthCheck(table.password, 60),
  ],
)

/** Questions of a test under one heading: a fixed list, or drawn from the bank. */
export const quizSection = pgTable(
  'quiz_section',
  {
    tenantId: tenantId().references(() => tenant.id),
    id: id(),
    quizId: uuid().notNull(),
    position: integer().notNull(),
    title: text().notNull().default(''),
    pick: text({ enum: SECTION_PICKS }).notNull().default('fixed'),
    // Of a random section. A question has all of these tags; null: any bank, any difficulty.
    bankId: uuid(),
    tags: text().array().notNull().default([]),
    difficulty: integer(),
    count: integer(),
    // Points of each question drawn; null: those of the question.
    points: points(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    quizKey('quiz_section_quiz', [table.tenantId, table.quizId]),
    questionBankKey('quiz_section_bank', [table.tenantId, table.bankId]),
    index().on(table.tenantId, table.quizId, table.position),
    index().on(table.tenantId, table.bankId),
    ...enumChecks(table),
    ...countChecks(table.position),
    rangeCheck(table.difficulty, 1, 3),
    rangeCheck(table.count, 1, 200),
    rangeCheck(table.points, 0, 1000),
    lengthCheck(table.title, 160),
  ],
)

/** A question of a fixed section. A question occurs in a test once. */
export const quizQuestion = pgTable(
  'quiz_question',
  {
    tenantId: tenantId().references(() => tenant.id),
    quizId: uuid().notNull(),
    sectionId: uuid().notNull(),
    questionId: uuid().notNull(),
    position: integer().notNull(),
    // Null: the points of the question.
    points: points(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.quizId, table.questionId] }),
    quizKey('quiz_question_quiz', [table.tenantId, table.quizId]),
    quizSectionKey('quiz_question_section', [table.tenantId, table.sectionId]).onDelete('cascade'),
    questionKey('quiz_question_question', [table.tenantId, table.questionId]),
    index().on(table.tenantId, table.sectionId, table.position),
    index().on(table.tenantId, table.questionId),
    ...countChecks(table.position),
    rangeCheck(table.points, 0, 1000),
  ],
)

/** An exception from the settings of a test for one student or one study group. A null keeps the setting. */
export const quizOverride = pgTable(
  'quiz_override',
  {
    tenantId: tenantId().references(() => tenant.id),
    id: id(),
    quizId: uuid().notNull(),
    studentId: uuid(),
    groupId: uuid(),
    openAt: instant(),
    closeAt: instant(),
    timeLimitSec: integer(),
    // Added to the attempts of the test, and to its time.
    extraAttempts: integer().notNull().default(0),
    extraTimeSec: integer().notNull().default(0),
    by: uuid().notNull(),
    at: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    unique().on(table.tenantId, table.quizId, table.studentId, table.groupId).nullsNotDistinct(),
    quizKey('quiz_override_quiz', [table.tenantId, table.quizId]),
    memberKey('quiz_override_student', [table.tenantId, table.studentId]),
    studyGroupKey('quiz_override_group', [table.tenantId, table.groupId]),
    memberKey('quiz_override_by', [table.tenantId, table.by]),
    index().on(table.tenantId, table.studentId),
    index().on(table.tenantId, table.groupId),
    index().on(table.tenantId, table.by),
    check('quiz_override_target', sql`num_nonnulls(${table.studentId}, ${table.groupId}) = 1`),
    orderCheck(table.openAt, table.closeAt),
    rangeCheck(table.timeLimitSec, 30, 7 * DAY_SECONDS),
    rangeCheck(table.extraAttempts, 0, 100),
    rangeCheck(table.extraTimeSec, 0, 7 * DAY_SECONDS),
  ],
)

/** The policy of a tenant for all its tests; a tenant without a row has the defaults. */
export const quizPolicy = pgTable(
  'quiz_policy',
  {
    tenantId: tenantId()
      .primaryKey()
      .references(() => tenant.id),
    // Maximum time in minutes that can be given back to an attempt for an outage.
    outageCapMinutes: integer().notNull().default(30),
  },
  (table) => [rangeCheck(table.outageCapMinutes, 0, 1440)],
)

/** Foreign key to the test within the tenant. */
export const quizKey = keyTo(quiz)
const quizSectionKey = keyTo(quizSection)
