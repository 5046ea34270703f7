import { isNotNull, sql } from 'drizzle-orm'
import {
  bigint,
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
import { countChecks, enumChecks, lengthCheck } from '../../core/db/checks.ts'
import { createdAt, id, instant, keyTo, tenantId } from '../../core/db/columns.ts'
import { LOCALES } from '../../core/shared/locale.ts'
import { courseKey } from '../../course/table.ts'
import { CURRENCIES } from '../../payment/schema.ts'
import { tenant } from '../../tenant/table.ts'
import { memberKey } from '../../user/table.ts'
import { couponKey } from '../coupon/table.ts'
import { offerKey } from '../table.ts'
import type { OrderAnswers, PlannedPayment } from './schema.ts'
import { ORDER_ENTRY_KINDS, ORDER_STATES, REFUND_ACCESS, type RefundChoice } from './state-schema.ts'

/** The purchase of an offer. Amounts are minor units of `currency`. */
export const salesOrder = pgTable(
  'sales_order',
  {
    tenantId: tenantId().references(() => tenant.id),
    id: id(),
    /** Counts from 1 in each tenant. */
    number: integer().notNull(),
    /** The id in the address of the buyer's page. */
    publicId: uuid().notNull(),
    offerId: uuid().notNull(),
    courseId: uuid().notNull(),
    state: text({ enum: ORDER_STATES }).notNull(),
    /** The settings of the offer at the time of the purchase. */
    snapshot: jsonb().$type<unknown>().notNull(),
    buyerName: text().notNull(),
    /** Of the buyer. */
    email: text().notNull(),
    phone: text().notNull().default(''),
    answers: jsonb().$type<OrderAnswers>().notNull().default([]),
    /** A gift for another person. */
    recipientName: text(),
    recipientEmail: text(),
    giftMessage: text().notNull().default(''),
    /** Who gets the access: set when it is granted, or at once for a buyer who is signed in. */
    studentId: uuid(),
    currency: text({ enum: CURRENCIES }).notNull(),
    listAmount: integer().notNull(),
    discountAmount: integer().notNull().default(0),
    creditAmount: integer().notNull().default(0),
    /** The total to be paid. */
    amount: integer().notNull(),
    /** Paid, or begun to be paid, by test payments: no money was received. */
    isTest: boolean().notNull().default(false),
    /** The time zone in which the rollups count it, set by triggers: that of the tenant, or its former one for a moment. */
    rollupZone: text().notNull().default('UTC'),
    paidAmount: bigint({ mode: 'number' }).notNull().default(0),
    refundedAmount: bigint({ mode: 'number' }).notNull().default(0),
    /** What was chosen for the access when the latest refund was requested; done when the provider confirms it. */
    refundAccess: text({ enum: REFUND_ACCESS }),
    /** What was chosen for each refund, by the key of its parts: done when all of its amount is returned. */
    refundChoices: jsonb().$type<Record<string, RefundChoice>>().notNull().default({}),
    /** When a refund has ended the access. */
    accessEndedAt: instant(),
    /** Payments of an order that is paid in several of them, the first one included. */
    schedule: jsonb().$type<PlannedPayment[]>().notNull().default([]),
    couponId: uuid(),
    /** The order that this one upgrades. */
    upgradesId: uuid(),
    source: jsonb().$type<Record<string, string>>().notNull().default({}),
    /** The event session and its button whose link led to the purchase. */
    soldInSessionId: uuid(),
    soldByButtonId: uuid(),
    locale: text({ enum: LOCALES }).notNull(),
    consentAt: instant().notNull(),
    createdAt: createdAt(),
    /** Until then it can be paid. */
    expiresAt: instant(),
    /** Until then seat and coupon are reserved while nothing is paid. */
    reservedUntil: instant(),
    /** When the buyer has proved to receive emails at the address of the order, or was signed in by it. */
    addressConfirmedAt: instant(),
    /** A digest of the network of the buyer, while nothing is paid. */
    networkKey: text(),
    paidAt: instant(),
    /** When the next payment is due. */
    nextDueAt: instant(),
    remindedAt: instant(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    unique().on(table.tenantId, table.number),
    unique().on(table.tenantId, table.publicId),
    offerKey('sales_order_offer', [table.tenantId, table.offerId]),
    courseKey('sales_order_course', [table.tenantId, table.courseId]),
    memberKey('sales_order_student', [table.tenantId, table.studentId]),
    couponKey('sales_order_coupon', [table.tenantId, table.couponId]),
    foreignKey({
      name: 'sales_order_upgrades',
      columns: [table.tenantId, table.upgradesId],
      foreignColumns: [table.tenantId, table.id],
    }),
    index().on(table.tenantId, table.createdAt, table.id),
    index().on(table.tenantId, table.courseId, table.createdAt, table.id),
    index().on(table.tenantId, table.state, table.createdAt, table.id),
    index().on(table.tenantId, table.offerId, table.state),
    index().on(table.tenantId, table.rollupZone),
    index().on(table.tenantId, table.email),
    index().on(table.tenantId, table.studentId).where(isNotNull(table.studentId)),
    index().on(table.tenantId, table.couponId, table.email).where(isNotNull(table.couponId)),
    index('sales_order_coupon_mailbox')
      .on(table.tenantId, table.couponId, sql`mailbox_of("email")`)
      .where(isNotNull(table.couponId)),
    index().on(table.tenantId, table.upgradesId).where(isNotNull(table.upgradesId)),
    index().on(table.tenantId, table.soldInSessionId).where(isNotNull(table.soldInSessionId)),
    index('sales_order_expiring').on(table.tenantId, table.expiresAt).where(sql`state = 'awaiting_payment'`),
    index('sales_order_due').on(table.tenantId, table.nextDueAt).where(sql`state in ('active', 'overdue')`),
    ...enumChecks(table),
    ...countChecks(
      table.number,
      table.listAmount,
      table.discountAmount,
      table.creditAmount,
      table.amount,
      table.paidAmount,
      table.refundedAmount,
    ),
    lengthCheck(table.buyerName, 160),
    lengthCheck(table.email, 254),
    lengthCheck(table.phone, 40),
    lengthCheck(table.recipientName, 160),
    lengthCheck(table.recipientEmail, 254),
    lengthCheck(table.giftMessage, 1000),
    lengthCheck(table.networkKey, 64),
  ],
)

const orderKey = keyTo(salesOrder)

/** What happened to an order, for its timeline. */
export const orderEntry = pgTable(
  'order_entry',
  {
    tenantId: tenantId().references(() => tenant.id),
    id: id(),
    orderId: uuid().notNull(),
    at: createdAt(),
    kind: text({ enum: ORDER_ENTRY_KINDS }).notNull(),
    /** The member who did it; null: the program, or the buyer. */
    by: uuid(),
    /** A state, what was done to the access, or the text of a note. */
    text: text().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    orderKey('order_entry_order', [table.tenantId, table.orderId]),
    memberKey('order_entry_by', [table.tenantId, table.by]),
    index().on(table.tenantId, table.orderId, table.at, table.id),
    index().on(table.tenantId, table.by).where(isNotNull(table.by)),
    ...enumChecks(table),
    lengthCheck(table.text, 2000),
  ],
)

/** A person whom the checkout has refused since the plan of the school takes no further student. */
export const refusedSale = pgTable(
  'refused_sale',
  {
    tenantId: tenantId().references(() => tenant.id),
    id: id(),
    offerId: uuid().notNull(),
    /** A digest of the email address, so that a person counts once. */
    buyerKey: text().notNull(),
    /** Empty unless the person has asked to be told. */
    email: text().notNull().default(''),
    name: text().notNull().default(''),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    offerKey('refused_sale_offer', [table.tenantId, table.offerId]),
    unique().on(table.tenantId, table.offerId, table.buyerKey),
    index().on(table.tenantId, table.createdAt, table.id),
    lengthCheck(table.buyerKey, 64),
    lengthCheck(table.email, 254),
    lengthCheck(table.name, 160),
  ],
)

/**
 * The words of the names and addresses of an order, and its phone, written by a trigger: a search finds an order by their
 * beginnings.
 */
export const orderWord = pgTable(
  'order_word',
  {
    tenantId: tenantId().references(() => tenant.id),
    orderId: uuid().notNull(),
    /** As normalized by `search_text`; compared by its bytes (collation C). */
    word: text().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.orderId, table.word] }),
    orderKey('order_word_order', [table.tenantId, table.orderId]),
    index().on(table.tenantId, table.word, table.orderId),
    lengthCheck(table.word, 80),
  ],
)

/** A view of the list that a team member has saved: the query of its URL under a name. */
export const orderView = pgTable(
  'order_view',
  {
    tenantId: tenantId().references(() => tenant.id),
    id: id(),
    memberId: uuid().notNull(),
    name: text().notNull(),
    query: text().notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    memberKey('order_view_member', [table.tenantId, table.memberId]),
    unique().on(table.tenantId, table.memberId, table.name),
    lengthCheck(table.name, 60),
    lengthCheck(table.query, 2000),
  ],
)
