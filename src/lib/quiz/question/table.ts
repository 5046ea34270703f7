import { sql } from 'drizzle-orm'
import { boolean, index, integer, jsonb, numeric, pgTable, primaryKey, text, unique, uuid } from 'drizzle-orm/pg-core'
import { enumChecks, lengthCheck, rangeCheck, versionChecks } from '../../core/db/checks.ts'
import { createdAt, id, instant, keyTo, tenantId } from '../../core/db/columns.ts'
import { LOCALES } from '../../core/shared/locale.ts'
import { QUESTION_TYPES } from '../../core/shared/quiz.ts'
import { tenant } from '../../tenant/table.ts'
import { memberKey } from '../../user/table.ts'
import type { QuestionContent } from './schema.ts'

/** Points with two decimals. */
const points = () => numeric({ precision: 9, scale: 2, mode: 'number' })

/** A named collection of questions; a question without one is in the tenant's general bank. */
export const questionBank = pgTable(
  'question_bank',
  {
    tenantId: tenantId().references(() => tenant.id),
    id: id(),
    title: text().notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    unique().on(table.tenantId, table.title),
    lengthCheck(table.title, 120),
  ],
)

/** A question of the bank; its content is in its versions. */
export const question = pgTable(
  'question',
  {
    tenantId: tenantId().references(() => tenant.id),
    id: id(),
    bankId: uuid(),
    type: text({ enum: QUESTION_TYPES }).notNull(),
    // The current version.
    version: integer().notNull().default(1),
    // The text of the current stem, for lists and searches.
    title: text().notNull().default(''),
    points: points().notNull().default(1),
    tags: text().array().notNull().default([]),
    difficulty: integer().notNull().default(2),
    locale: text({ enum: LOCALES }).notNull().default('uk'),
    // The current version has no issues: it may be given to students.
    complete: boolean().notNull().default(false),
    // Increases with every change, including those of labels.
    revision: integer().notNull().default(1),
    authorId: uuid().notNull(),
    createdAt: createdAt(),
    updatedAt: createdAt(),
    deletedAt: instant(),
    // Title and tags, searched by `matchesSearchText`. `question_search` is a function of a migration.
    search: text().notNull().generatedAlwaysAs(sql`question_search(title, tags)`),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    questionBankKey('question_bank_id', [table.tenantId, table.bankId]),
    memberKey('question_author', [table.tenantId, table.authorId]),
    index().on(table.tenantId, table.bankId),
    index().on(table.tenantId, table.authorId),
    index('question_list').on(table.tenantId, table.updatedAt, table.id).where(sql`deleted_at is null`),
    index('question_tags').using('gin', table.tags),
    ...enumChecks(table),
    ...versionChecks(table.version, table.revision),
    rangeCheck(table.points, 0, 1000),
    rangeCheck(table.difficulty, 1, 3),
    lengthCheck(table.title, 300),
  ],
)

/** The content of a question after an edit. Never changed: attempts refer to a version. */
export const questionVersion = pgTable(
  'question_version',
  {
    tenantId: tenantId().references(() => tenant.id),
    questionId: uuid().notNull(),
    version: integer().notNull(),
    content: jsonb().$type<QuestionContent>().notNull(),
    by: uuid().notNull(),
    at: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.questionId, table.version] }),
    questionKey('question_version_question', [table.tenantId, table.questionId]),
    memberKey('question_version_by', [table.tenantId, table.by]),
    index().on(table.tenantId, table.by),
    ...versionChecks(table.version),
  ],
)

/** Foreign key to a question bank within the tenant. */
export const questionBankKey = keyTo(questionBank)
/** Foreign key to a question within the tenant. */
export const questionKey = keyTo(question)
