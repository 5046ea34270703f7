import { isNotNull, sql } from 'drizzle-orm'
import {
  boolean,
  doublePrecision,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { countChecks, enumChecks, lengthCheck, percentCheck, rangeCheck, versionChecks } from '../core/db/checks.ts'
import { createdAt, id, instant, keyTo, tenantId } from '../core/db/columns.ts'
import { LOCALES } from '../core/shared/locale.ts'
import { courseKey } from '../course/table.ts'
import { fileKey } from '../storage/table.ts'
import { tenant } from '../tenant/table.ts'
import { memberKey } from '../user/table.ts'
import type { Delivery, HistoryEntry, Snapshot } from './issue/snapshot-schema.ts'
import { CERTIFICATE_STATES, CERTIFICATE_TYPES, ORIENTATIONS, PAGE_SIZES } from './state-schema.ts'
import type { TemplateElement } from './template/schema.ts'

/** The design of certificates of a tenant. */
export const certificateTemplate = pgTable(
  'certificate_template',
  {
    tenantId: tenantId().references(() => tenant.id),
    id: id(),
    name: text().notNull(),
    pageSize: text({ enum: PAGE_SIZES }).notNull(),
    orientation: text({ enum: ORIENTATIONS }).notNull(),
    background: text().notNull(),
    backgroundFileId: uuid(),
    locale: text({ enum: LOCALES }).notNull(),
    elements: jsonb().$type<TemplateElement[]>().notNull(),
    version: integer().notNull().default(1),
    createdAt: createdAt(),
    updatedAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    fileKey('certificate_template_background', [table.tenantId, table.backgroundFileId]),
    index().on(table.tenantId, table.createdAt, table.id),
    index().on(table.tenantId, table.backgroundFileId).where(isNotNull(table.backgroundFileId)),
    ...enumChecks(table),
    ...versionChecks(table.version),
    lengthCheck(table.name, 120),
    lengthCheck(table.background, 7),
  ],
)

/** How the certificate of a course is earned and issued. */
export const certificateRule = pgTable(
  'certificate_rule',
  {
    tenantId: tenantId().references(() => tenant.id),
    courseId: uuid().notNull(),
    enabled: boolean().notNull().default(true),
    type: text({ enum: CERTIFICATE_TYPES }).notNull().default('electronic'),
    templateId: uuid(),
    minCompletion: integer().notNull().default(100),
    requireTasks: boolean().notNull().default(false),
    testId: uuid(),
    minScore: integer(),
    deadline: instant(),
    autoIssue: boolean().notNull().default(true),
    confirmName: boolean().notNull().default(true),
    validMonths: integer(),
    hours: doublePrecision(),
    numberFormat: text().notNull().default('{TENANT}-{YYYY}-{SEQ5}'),
    version: integer().notNull().default(1),
    updatedAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.courseId] }),
    courseKey('certificate_rule_course', [table.tenantId, table.courseId]),
    foreignKey({
      name: 'certificate_rule_template',
      columns: [table.tenantId, table.templateId],
      foreignColumns: [certificateTemplate.tenantId, certificateTemplate.id],
    }),
    index().on(table.tenantId, table.templateId).where(isNotNull(table.templateId)),
    ...enumChecks(table),
    ...versionChecks(table.version),
    percentCheck(table.minCompletion),
    percentCheck(table.minScore),
    rangeCheck(table.validMonths, 1, 240),
    rangeCheck(table.hours, 0, 10_000),
    lengthCheck(table.numberFormat, 60),
  ],
)

/** The last number of a sequence; updated in the transaction that uses it, so that no number is lost or used twice. */
export const certificateCounter = pgTable(
  'certificate_counter',
  {
    tenantId: tenantId().references(() => tenant.id),
    /** The text before and after the sequence in the numbers. */
    key: text().notNull(),
    last: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.key] }),
    ...countChecks(table.last),
    lengthCheck(table.key, 400),
  ],
)

/** A certificate of a student, electronic or on paper. */
export const certificate = pgTable(
  'certificate',
  {
    tenantId: tenantId().references(() => tenant.id),
    id: id(),
    /** The id in the URL of the public page. */
    publicId: uuid().notNull(),
    courseId: uuid().notNull(),
    studentId: uuid().notNull(),
    type: text({ enum: CERTIFICATE_TYPES }).notNull(),
    state: text({ enum: CERTIFICATE_STATES }).notNull(),
    /** Assigned when it is issued or produced. */
    number: text(),
    nameAsPrinted: text().notNull(),
    nameConfirmedAt: instant(),
    /** Set when a pending certificate may be issued: by the rule, or by a member of the team. */
    dueAt: instant(),
    issuedAt: instant(),
    expiresAt: instant(),
    /** Null: automatically. */
    issuedBy: uuid(),
    /** The reason of the revocation or refusal. */
    reason: text().notNull().default(''),
    /** The certificate that it replaces. */
    replacesId: uuid(),
    snapshot: jsonb().$type<Snapshot>(),
    history: jsonb().$type<HistoryEntry[]>().notNull().default([]),
    /** When the PDF was stored. */
    renderedAt: instant(),
    delivery: jsonb().$type<Delivery>(),
    trackingNumber: text().notNull().default(''),
    scanFileId: uuid(),
    createdAt: createdAt(),
    updatedAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    unique().on(table.tenantId, table.publicId),
    uniqueIndex('certificate_number').on(table.tenantId, table.number),
    // At most one current certificate per student and course; ended ones are kept as history.
    uniqueIndex('certificate_current')
      .on(table.tenantId, table.courseId, table.studentId)
      .where(sql`${table.state} not in ('revoked', 'replaced', 'declined', 'expired')`),
    courseKey('certificate_course', [table.tenantId, table.courseId]),
    memberKey('certificate_student', [table.tenantId, table.studentId]),
    memberKey('certificate_issued_by', [table.tenantId, table.issuedBy]),
    fileKey('certificate_scan', [table.tenantId, table.scanFileId]),
    foreignKey({
      name: 'certificate_replaces',
      columns: [table.tenantId, table.replacesId],
      foreignColumns: [table.tenantId, table.id],
    }),
    index().on(table.tenantId, table.courseId, table.createdAt, table.id),
    index().on(table.tenantId, table.studentId, table.createdAt),
    index().on(table.tenantId, table.issuedBy).where(isNotNull(table.issuedBy)),
    index().on(table.tenantId, table.replacesId).where(isNotNull(table.replacesId)),
    index().on(table.tenantId, table.scanFileId).where(isNotNull(table.scanFileId)),
    index().on(table.tenantId, table.expiresAt).where(sql`${table.state} = 'issued'`),
    index('certificate_due').on(table.tenantId, table.dueAt).where(sql`${table.state} = 'pending'`),
    ...enumChecks(table),
    lengthCheck(table.number, 400),
    lengthCheck(table.nameAsPrinted, 160),
    lengthCheck(table.reason, 500),
    lengthCheck(table.trackingNumber, 100),
  ],
)

/** Students whose progress changed in a course with a rule: written by a trigger, read by a job. */
export const certificateCheck = pgTable(
  'certificate_check',
  {
    tenantId: tenantId().references(() => tenant.id),
    courseId: uuid().notNull(),
    studentId: uuid().notNull(),
    at: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.courseId, table.studentId] }),
    courseKey('certificate_check_course', [table.tenantId, table.courseId]),
    memberKey('certificate_check_student', [table.tenantId, table.studentId]),
    index().on(table.tenantId, table.studentId),
  ],
)

/** The keys that sign the badges of a tenant. The newest one signs; all of them stay published. */
export const certificateSigningKey = pgTable(
  'certificate_signing_key',
  {
    tenantId: tenantId().references(() => tenant.id),
    id: id(),
    publicJwk: jsonb().$type<Record<string, unknown>>().notNull(),
    /** Encrypted by the key of the installation. */
    privateKey: text().notNull(),
    createdAt: createdAt(),
  },
  (table) => [primaryKey({ columns: [table.tenantId, table.id] }), lengthCheck(table.privateKey, 8000)],
)

/** Foreign key to a certificate within the tenant. */
export const certificateKey = keyTo(certificate)
