import { boolean, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { lengthCheck, versionChecks } from '../../core/db/checks.ts'
import { createdAt, tenantId } from '../../core/db/columns.ts'
import { tenant } from '../../tenant/table.ts'
import { memberKey } from '../../user/table.ts'
import type { RegistrationAnswer, RegistrationField } from './schema.ts'

/** The registration form of a school; a school without a row asks for name and password only. */
export const registrationForm = pgTable(
  'registration_form',
  {
    tenantId: tenantId()
      .primaryKey()
      .references(() => tenant.id),
    /** Whether people can join through invitation links. Personal invitations are always accepted. */
    isOpen: boolean().notNull().default(true),
    /** In the order in which they are asked. */
    fields: jsonb().$type<RegistrationField[]>().notNull().default([]),
    /** The text to which a student agrees; empty when no consent is required. */
    consentText: text().notNull().default(''),
    /** The document to which the text refers. */
    consentUrl: text(),
    /** Increases with each change of the text or the document. */
    consentVersion: integer().notNull().default(1),
    /** Increases with every change; a change that is based on an older one is refused. */
    revision: integer().notNull().default(1),
  },
  (table) => [
    lengthCheck(table.consentText, 1000),
    lengthCheck(table.consentUrl, 500),
    ...versionChecks(table.consentVersion, table.revision),
  ],
)

/** The answers of a student to the fields of the registration form, with the labels that were shown. */
export const studentRegistration = pgTable(
  'student_registration',
  {
    tenantId: tenantId().references(() => tenant.id),
    studentId: uuid().notNull(),
    answers: jsonb().$type<RegistrationAnswer[]>().notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.studentId] }),
    memberKey('student_registration_student', [table.tenantId, table.studentId]),
  ],
)

/** A consent of a student: the text and version that were shown, and when. Never changed. */
export const studentConsent = pgTable(
  'student_consent',
  {
    tenantId: tenantId().references(() => tenant.id),
    studentId: uuid().notNull(),
    version: integer().notNull(),
    text: text().notNull(),
    url: text(),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.studentId, table.version] }),
    memberKey('student_consent_student', [table.tenantId, table.studentId]),
    lengthCheck(table.text, 1000),
    lengthCheck(table.url, 500),
    ...versionChecks(table.version),
  ],
)
