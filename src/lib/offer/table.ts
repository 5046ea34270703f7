import { isNotNull } from 'drizzle-orm'
import { boolean, foreignKey, index, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { countChecks, enumChecks, lengthCheck, orderCheck, rangeCheck, versionChecks } from '../core/db/checks.ts'
import { createdAt, id, instant, keyTo, tenantId } from '../core/db/columns.ts'
import { studyGroupKey } from '../course/learning/table.ts'
import { courseKey } from '../course/table.ts'
import { programKey } from '../mentoring/program/table.ts'
import { CURRENCIES } from '../payment/schema.ts'
import { tenant } from '../tenant/table.ts'
import { memberKey } from '../user/table.ts'
import {
  ACCESS_TYPES,
  MAX_AMOUNT,
  OFFER_KINDS,
  OFFER_PERIODS,
  OFFER_STATES,
  OFFER_VISIBILITIES,
  type OfferQuestion,
  PHONE_FIELDS,
} from './schema.ts'

/** How a course is sold: price, what buyers get and for how long, and the checkout. Amounts are minor units. */
export const offer = pgTable(
  'offer',
  {
    tenantId: tenantId().references(() => tenant.id),
    id: id(),
    courseId: uuid().notNull(),
    state: text({ enum: OFFER_STATES }).notNull().default('draft'),
    name: text().notNull(),
    description: text().notNull().default(''),
    visibility: text({ enum: OFFER_VISIBILITIES }).notNull().default('public'),
    kind: text({ enum: OFFER_KINDS }).notNull(),
    currency: text({ enum: CURRENCIES }).notNull().default('UAH'),
    price: integer().notNull().default(0),
    oldPrice: integer(),
    salePrice: integer(),
    saleFrom: instant(),
    saleTo: instant(),
    period: text({ enum: OFFER_PERIODS }).notNull().default('month'),
    trialDays: integer().notNull().default(0),
    installmentCount: integer().notNull().default(3),
    installmentDays: integer().notNull().default(30),
    firstAmount: integer(),
    // Null: every module of the course.
    moduleIds: uuid().array(),
    courseIds: uuid().array().notNull().default([]),
    workshopIds: uuid().array().notNull().default([]),
    mentorProgramId: uuid(),
    mentorSessions: integer(),
    withReview: boolean().notNull().default(true),
    withCertificate: boolean().notNull().default(true),
    groupId: uuid(),
    // Null: with the purchase.
    accessFrom: instant(),
    accessType: text({ enum: ACCESS_TYPES }).notNull().default('lifetime'),
    accessUntil: instant(),
    accessDays: integer(),
    salesFrom: instant(),
    salesTo: instant(),
    // Null: as many as want to buy.
    seats: integer(),
    // Whose buyers pay the difference.
    upgradesOfferId: uuid(),
    seoTitle: text().notNull().default(''),
    seoDescription: text().notNull().default(''),
    phone: text({ enum: PHONE_FIELDS }).notNull().default('optional'),
    questions: jsonb().$type<OfferQuestion[]>().notNull().default([]),
    afterMessage: text().notNull().default(''),
    afterUrl: text().notNull().default(''),
    emailText: text().notNull().default(''),
    crossSellIds: uuid().array().notNull().default([]),
    version: integer().notNull().default(1),
    // Who invites the buyers without an account.
    updatedBy: uuid().notNull(),
    createdAt: createdAt(),
    updatedAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    courseKey('offer_course', [table.tenantId, table.courseId]),
    memberKey('offer_updated_by', [table.tenantId, table.updatedBy]),
    index().on(table.tenantId, table.courseId, table.createdAt, table.id),
    foreignKey({
      name: 'offer_upgrades',
      columns: [table.tenantId, table.upgradesOfferId],
      foreignColumns: [table.tenantId, table.id],
    }),
    programKey('offer_mentor_program', [table.tenantId, table.mentorProgramId]),
    studyGroupKey('offer_group', [table.tenantId, table.groupId]),
    index().on(table.tenantId, table.groupId).where(isNotNull(table.groupId)),
    index().on(table.tenantId, table.updatedBy),
    index().on(table.tenantId, table.mentorProgramId).where(isNotNull(table.mentorProgramId)),
    index().on(table.tenantId, table.upgradesOfferId).where(isNotNull(table.upgradesOfferId)),
    ...enumChecks(table),
    ...versionChecks(table.version),
    rangeCheck(table.price, 0, MAX_AMOUNT),
    rangeCheck(table.oldPrice, 0, MAX_AMOUNT),
    rangeCheck(table.salePrice, 0, MAX_AMOUNT),
    rangeCheck(table.firstAmount, 0, MAX_AMOUNT),
    rangeCheck(table.trialDays, 0, 90),
    rangeCheck(table.installmentCount, 2, 24),
    rangeCheck(table.installmentDays, 1, 180),
    rangeCheck(table.accessDays, 1, 3650),
    rangeCheck(table.seats, 1, 100_000),
    rangeCheck(table.mentorSessions, 1, 1000),
    orderCheck(table.saleFrom, table.saleTo),
    orderCheck(table.salesFrom, table.salesTo),
    lengthCheck(table.name, 120),
    lengthCheck(table.description, 2000),
    lengthCheck(table.afterMessage, 2000),
    lengthCheck(table.afterUrl, 2048),
    lengthCheck(table.emailText, 3000),
    lengthCheck(table.seoTitle, 70),
    lengthCheck(table.seoDescription, 160),
  ],
)

/** Foreign key to an offer within the tenant. */
export const offerKey = keyTo(offer)

/** The last number of the orders of a tenant; updated in the transaction that uses it, so that no number is given twice. */
export const orderCounter = pgTable(
  'order_counter',
  {
    tenantId: tenantId().references(() => tenant.id),
    last: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.tenantId] }), ...countChecks(table.last)],
)
