import { sql } from 'drizzle-orm'
import { index, integer, pgTable, primaryKey, text, unique, uuid } from 'drizzle-orm/pg-core'
import { countChecks, enumChecks, lengthCheck, versionChecks } from '../core/db/checks.ts'
import { bytes, createdAt, id, instant, keyTo, tenantId } from '../core/db/columns.ts'
import { ACCOUNT_TYPES, ROLES } from '../core/shared/role.ts'
import { tenant } from '../tenant/table.ts'

const userId = () =>
  uuid()
    .notNull()
    .references(() => user.id, { onDelete: 'cascade' })

export const user = pgTable(
  'user',
  {
    id: id().primaryKey(),
    email: text().notNull().unique(),
    emailVerifiedAt: instant(),
    passwordHash: text(),
    firstName: text().notNull().default(''),
    lastName: text().notNull().default(''),
    patronymic: text(),
    phone: text(),
    locale: text({ enum: ['uk', 'en'] })
      .notNull()
      .default('uk'),
    timeZone: text().notNull().default('Europe/Kyiv'),
    totpSecret: text(),
    totpEnabledAt: instant(),
    totpLastStep: integer(),
    createdAt: createdAt(),
    lastLoginAt: instant(),
    // Searched by `matchesIndexedText`. `search_text`, `ascii_letters` and `phone_key` are functions of migrations.
    search: text()
      .notNull()
      .generatedAlwaysAs(
        sql`search_text(first_name || ' ' || coalesce(patronymic || ' ', '') || last_name || ' ' || email)`,
      ),
    searchAscii: text()
      .notNull()
      .generatedAlwaysAs(
        sql`ascii_letters(search_text(first_name || ' ' || coalesce(patronymic || ' ', '') || last_name || ' ' || email))`,
      ),
  },
  (table) => [
    index('user_search').using('gin', sql`${table.searchAscii} gin_trgm_ops`),
    index('user_phone').using('gin', sql`phone_key(${table.phone}) gin_trgm_ops`),
    ...enumChecks(table),
    lengthCheck(table.email, 254),
    lengthCheck(table.firstName, 80),
    lengthCheck(table.lastName, 80),
    lengthCheck(table.patronymic, 80),
    lengthCheck(table.timeZone, 64),
  ],
)

export const membership = pgTable(
  'membership',
  {
    tenantId: tenantId().references(() => tenant.id),
    id: id(),
    userId: userId(),
    accountType: text({ enum: ACCOUNT_TYPES }).notNull(),
    roles: text({ enum: ROLES }).array().notNull().default([]),
    status: text({ enum: ['active', 'invited', 'registered', 'accepted', 'unknown'] }).notNull(),
    createdAt: createdAt(),
    acceptedAt: instant(),
    blockedAt: instant(),
    lastActiveAt: instant(),
    // Job title of a team member.
    position: text().notNull().default(''),
    // Increases with every change by the team; a change that is based on an older one is refused.
    revision: integer().notNull().default(1),
    // A removed team member is blocked too. The row is kept: authored content refers to it.
    removedAt: instant(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    unique().on(table.tenantId, table.userId, table.accountType),
    index().on(table.userId),
    index().on(table.tenantId, table.accountType, table.createdAt),
    // Without this index, a condition on the account type would read every student of the school.
    index('membership_team').on(table.tenantId, table.id).where(sql`account_type <> 'ACCOUNT_TYPE_STUDENT'`),
    // Conditions of access exclude the blocked students of a school.
    index('membership_blocked').on(table.tenantId, table.id).where(sql`blocked_at is not null`),
    ...enumChecks(table),
    ...versionChecks(table.revision),
    lengthCheck(table.position, 120),
  ],
)

export const session = pgTable(
  'session',
  {
    tokenHash: bytes().primaryKey(),
    id: id().unique(),
    userId: userId(),
    tenantId: uuid(),
    accountType: text({ enum: ACCOUNT_TYPES }),
    // Set for a session of a one-time login link, which others may hold: it is limited to the student of this school.
    boundTenantId: uuid(),
    createdAt: createdAt(),
    lastSeenAt: createdAt(),
    expiresAt: instant().notNull(),
    revokedAt: instant(),
    ip: text(),
    userAgent: text(),
  },
  (table) => [index().on(table.userId), ...enumChecks(table)],
)

/** A sign-up before its email address is confirmed; it reserves the subdomain. The tenant is created afterwards. */
export const signUp = pgTable(
  'sign_up',
  {
    userId: userId().primaryKey(),
    organisation: text().notNull(),
    subdomain: text().notNull().unique(),
    createdAt: createdAt(),
  },
  (table) => [lengthCheck(table.organisation, 120), lengthCheck(table.subdomain, 63)],
)

export const emailVerification = pgTable(
  'email_verification',
  {
    id: id().primaryKey(),
    userId: userId(),
    codeHash: bytes().notNull(),
    tokenHash: bytes().notNull().unique(),
    attempts: integer().notNull().default(0),
    createdAt: createdAt(),
    expiresAt: instant().notNull(),
    usedAt: instant(),
  },
  (table) => [index().on(table.userId), ...countChecks(table.attempts)],
)

export const passwordReset = pgTable(
  'password_reset',
  {
    tokenHash: bytes().primaryKey(),
    userId: userId(),
    createdAt: createdAt(),
    expiresAt: instant().notNull(),
    usedAt: instant(),
  },
  (table) => [index().on(table.userId)],
)

export const recoveryCode = pgTable(
  'recovery_code',
  {
    userId: userId(),
    codeHash: bytes().notNull(),
    usedAt: instant(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.codeHash] })],
)

/** Foreign key of a tenant's table to a member of the same tenant. */
export const memberKey = keyTo(membership)
