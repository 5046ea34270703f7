import { foreignKey, index, integer, jsonb, pgTable, primaryKey, text, unique, uuid } from 'drizzle-orm/pg-core'
import { countChecks, enumChecks, lengthCheck, versionChecks } from '../core/db/checks.ts'
import { createdAt, id, instant, tenantId } from '../core/db/columns.ts'
import { PERIODS, PLANS } from '../core/shared/plan.ts'
import { PLAN_GROUPS } from '../core/shared/role.ts'
import { payment } from '../payment/table.ts'
import { tenant } from '../tenant/table.ts'
import { memberKey } from '../user/table.ts'
import { type ChosenPlan, DOCUMENT_KINDS, PURCHASE_KINDS, PURCHASE_STATES } from './schema.ts'

/** A tenant's plan in one group: the current one and the pending one. */
export const subscription = pgTable(
  'subscription',
  {
    tenantId: tenantId().references(() => tenant.id),
    id: id(),
    group: text({ enum: PLAN_GROUPS }).notNull(),
    state: text({ enum: ['current', 'pending'] })
      .notNull()
      .default('current'),
    plan: text({ enum: PLANS }).notNull(),
    period: text({ enum: PERIODS }).notNull(),
    trialEndsAt: instant(),
    nextPayment: instant(),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    unique().on(table.tenantId, table.group, table.state),
    ...enumChecks(table),
  ],
)

/** Additional quantities of a limit, e.g. more disc space, paid for together with the plan of the group. */
export const addOn = pgTable(
  'add_on',
  {
    tenantId: tenantId().references(() => tenant.id),
    id: id(),
    group: text({ enum: PLAN_GROUPS }).notNull().default('lms'),
    limit: text().notNull(),
    quantity: integer().notNull(),
    /** The quantity from the next payment on. */
    nextQuantity: integer().notNull().default(0),
    nextPayment: instant(),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    unique().on(table.tenantId, table.group, table.limit),
    ...enumChecks(table),
    ...countChecks(table.quantity, table.nextQuantity),
  ],
)

/** What the owner has bought for one group: the plan with its add-ons, for a time. */
export const planPurchase = pgTable(
  'plan_purchase',
  {
    tenantId: tenantId().references(() => tenant.id),
    id: id(),
    group: text({ enum: PLAN_GROUPS }).notNull(),
    kind: text({ enum: PURCHASE_KINDS }).notNull(),
    chosen: jsonb().$type<ChosenPlan>().notNull(),
    /** Minor units of BILLING_CURRENCY. */
    amount: integer().notNull(),
    /** Of the promo code, in minor units; the amount is what is left. */
    discount: integer().notNull().default(0),
    promoCode: text(),
    state: text({ enum: PURCHASE_STATES }).notNull().default('new'),
    /** The time that is paid for: until the payment, as shown when it was bought. */
    paidFrom: instant().notNull(),
    paidUntil: instant().notNull(),
    createdBy: uuid().notNull(),
    createdAt: createdAt(),
    paidAt: instant(),
    /** Group and period of an automatic renewal: each period is charged once. */
    autoKey: text(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    memberKey('plan_purchase_created_by', [table.tenantId, table.createdBy]),
    ...enumChecks(table),
    ...countChecks(table.amount, table.discount),
    index().on(table.tenantId, table.createdBy),
    index().on(table.tenantId, table.createdAt),
    unique().on(table.tenantId, table.autoKey),
    lengthCheck(table.autoKey, 60),
    lengthCheck(table.promoCode, 40),
  ],
)

/** The details of a school on its invoices, and the saved card that pays for its plans. */
export const billingAccount = pgTable(
  'billing_account',
  {
    tenantId: tenantId()
      .primaryKey()
      .references(() => tenant.id),
    /** Of the company or person that pays; empty: the name of the school. */
    name: text().notNull().default(''),
    taxId: text().notNull().default(''),
    address: text().notNull().default(''),
    /** The payment that has saved the card. */
    cardPaymentId: uuid(),
    changedAt: createdAt(),
  },
  (table) => [
    lengthCheck(table.name, 160),
    lengthCheck(table.taxId, 10),
    lengthCheck(table.address, 300),
    foreignKey({
      name: 'billing_account_card',
      columns: [table.tenantId, table.cardPaymentId],
      foreignColumns: [payment.tenantId, payment.id],
    }),
    index().on(table.tenantId, table.cardPaymentId),
  ],
)

/** An invoice or an act of a purchase. Both are numbered from 1 in each school, without gaps. */
export const planDocument = pgTable(
  'plan_document',
  {
    tenantId: tenantId().references(() => tenant.id),
    id: id(),
    kind: text({ enum: DOCUMENT_KINDS }).notNull(),
    number: integer().notNull(),
    purchaseId: uuid().notNull(),
    /** As it was issued. */
    content: jsonb().$type<unknown>().notNull(),
    issuedAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    unique().on(table.tenantId, table.kind, table.number),
    unique().on(table.tenantId, table.purchaseId, table.kind),
    foreignKey({
      name: 'plan_document_purchase',
      columns: [table.tenantId, table.purchaseId],
      foreignColumns: [planPurchase.tenantId, planPurchase.id],
    }),
    ...enumChecks(table),
    ...versionChecks(table.number),
  ],
)
