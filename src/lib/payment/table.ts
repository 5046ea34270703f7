import { sql } from 'drizzle-orm'
import {
  boolean,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { countChecks, enumChecks, lengthCheck, rangeCheck } from '../core/db/checks.ts'
import { createdAt, id, instant, tenantId } from '../core/db/columns.ts'
import { tenant } from '../tenant/table.ts'
import { memberKey } from '../user/table.ts'
import {
  CALLBACK_OUTCOMES,
  CALLBACK_PROBLEMS,
  CURRENCIES,
  EVENT_SOURCES,
  PAYMENT_KINDS,
  PAYMENT_PURPOSES,
  PAYMENT_STATUSES,
  PERIOD_UNITS,
  PROVIDERS,
} from './schema.ts'

/** A payment, a subscription, one of its charges or a refund. The amount is in minor units (kopiykas). */
export const payment = pgTable(
  'payment',
  {
    tenantId: tenantId().references(() => tenant.id),
    id: id(),
    purpose: text({ enum: PAYMENT_PURPOSES }).notNull(),
    /** The order or the purchase of a plan. */
    purposeId: uuid().notNull(),
    provider: text({ enum: PROVIDERS }).notNull(),
    /** The provider's own identifier. */
    providerRef: text(),
    kind: text({ enum: PAYMENT_KINDS }).notNull(),
    status: text({ enum: PAYMENT_STATUSES }).notNull().default('new'),
    amount: integer().notNull(),
    currency: text({ enum: CURRENCIES }).notNull(),
    /** Description shown to the buyer by the provider. */
    description: text().notNull(),
    /** The page to which the buyer returns. */
    returnUrl: text().notNull(),
    /** The provider's page for this payment, and until when it may be used. */
    stepUrl: text(),
    stepEndsAt: instant(),
    /** No money moves: the sandbox, or a provider in test mode. */
    isTest: boolean().notNull(),
    /** The payment that a refund returns; the subscription of a charge. */
    parentId: uuid(),
    /** How often a subscription is charged. */
    periodUnit: text({ enum: PERIOD_UNITS }),
    periodCount: integer(),
    /** When the first charge of a subscription is due; null: at once. */
    startsAt: instant(),
    /** The saved card of a subscription, encrypted. */
    cardToken: text(),
    cardMask: text(),
    /** The provider's own name of an open status, e.g. `wait_accept` of LiqPay. */
    providerStatus: text(),
    /** The reason of the provider's refusal, as returned by the provider. */
    failure: text(),
    /** Reason of a refund or of a confirmation by staff. */
    note: text(),
    /** The team member who refunded or confirmed it. */
    by: uuid(),
    /** The same charge is made once. */
    onceKey: text(),
    /** Time of the next poll of the status. */
    nextPollAt: instant(),
    pollCount: integer().notNull().default(0),
    createdAt: createdAt(),
    changedAt: createdAt(),
    paidAt: instant(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    foreignKey({
      name: 'payment_parent',
      columns: [table.tenantId, table.parentId],
      foreignColumns: [table.tenantId, table.id],
    }),
    memberKey('payment_by', [table.tenantId, table.by]),
    ...enumChecks(table),
    rangeCheck(table.amount, 1),
    rangeCheck(table.periodCount, 1, 366),
    ...countChecks(table.pollCount),
    lengthCheck(table.providerRef, 200),
    lengthCheck(table.description, 250),
    lengthCheck(table.returnUrl, 1000),
    lengthCheck(table.stepUrl, 2000),
    lengthCheck(table.providerStatus, 60),
    lengthCheck(table.failure, 300),
    lengthCheck(table.note, 1000),
    lengthCheck(table.cardMask, 30),
    lengthCheck(table.onceKey, 100),
    index().on(table.tenantId, table.purpose, table.purposeId),
    index().on(table.tenantId, table.parentId),
    index().on(table.tenantId, table.by),
    index().on(table.tenantId, table.nextPollAt).where(sql`next_poll_at is not null`),
    // A charge that the provider made by its own schedule is stored once.
    uniqueIndex()
      .on(table.tenantId, table.parentId, table.providerRef)
      .where(sql`kind = 'recurrent' and parent_id is not null and provider_ref is not null`),
    uniqueIndex().on(table.tenantId, table.parentId, table.onceKey).where(sql`once_key is not null`),
  ],
)

/** Reports of providers about payments: unchanged callbacks, and responses to requests of the product. */
export const paymentCallback = pgTable(
  'payment_callback',
  {
    tenantId: tenantId().references(() => tenant.id),
    id: id(),
    provider: text({ enum: PROVIDERS }).notNull(),
    source: text({ enum: EVENT_SOURCES }).notNull(),
    receivedAt: createdAt(),
    /** The raw body, as it was signed; empty for other reports. */
    body: text().notNull(),
    /** The headers that the verification needs. */
    headers: jsonb().$type<Record<string, string>>().notNull(),
    signatureOk: boolean().notNull(),
    paymentId: uuid(),
    status: text({ enum: PAYMENT_STATUSES }),
    /** As the provider names it. */
    providerStatus: text(),
    outcome: text({ enum: CALLBACK_OUTCOMES }).notNull(),
    problem: text({ enum: CALLBACK_PROBLEMS }),
    processedAt: instant(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    foreignKey({
      name: 'payment_callback_payment',
      columns: [table.tenantId, table.paymentId],
      foreignColumns: [payment.tenantId, payment.id],
    }),
    ...enumChecks(table),
    lengthCheck(table.body, 262_144),
    lengthCheck(table.providerStatus, 60),
    index().on(table.tenantId, table.paymentId),
    index().on(table.tenantId, table.receivedAt).where(sql`payment_id is null`),
    // Reports whose raw body is removed when it is old.
    index('payment_callback_body').on(table.tenantId, table.receivedAt).where(sql`body <> ''`),
  ],
)

/** How a school receives money by one provider. */
export const paymentProviderSetting = pgTable(
  'payment_provider_setting',
  {
    tenantId: tenantId().references(() => tenant.id),
    provider: text({ enum: PROVIDERS }).notNull(),
    /** The keys as JSON, encrypted; null as long as there are none. */
    keys: text(),
    isEnabled: boolean().notNull(),
    isTest: boolean().notNull(),
    position: integer().notNull().default(0),
    checkedAt: instant(),
    /** Whether the provider accepted the keys when they were checked last. */
    checkOk: boolean(),
    changedAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.provider] }),
    ...enumChecks(table),
    ...countChecks(table.position),
  ],
)
