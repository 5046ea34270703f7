import { sql } from 'drizzle-orm'
import { boolean, foreignKey, index, integer, pgTable, primaryKey, text, unique, uuid } from 'drizzle-orm/pg-core'
import { countChecks, enumChecks, lengthCheck, rangeCheck } from '../../core/db/checks.ts'
import { createdAt, id, instant, tenantId } from '../../core/db/columns.ts'
import { tenant } from '../../tenant/table.ts'
import { payment } from '../table.ts'
import { FISCAL_SERVICES, RECEIPT_KINDS, RECEIPT_STATES } from './schema.ts'

/** How a school registers fiscal receipts. */
export const fiscalSetting = pgTable(
  'fiscal_setting',
  {
    tenantId: tenantId().references(() => tenant.id),
    service: text({ enum: FISCAL_SERVICES }).notNull(),
    /** The keys as JSON, encrypted. */
    keys: text().notNull(),
    isEnabled: boolean().notNull(),
    /** The cash register is one for tests. */
    isTest: boolean().notNull(),
    checkedAt: instant().notNull(),
    changedAt: createdAt(),
  },
  (table) => [primaryKey({ columns: [table.tenantId] }), ...enumChecks(table)],
)

/** The fiscal receipt of a payment, charge or refund. The amount is in kopiykas. */
export const fiscalReceipt = pgTable(
  'fiscal_receipt',
  {
    tenantId: tenantId().references(() => tenant.id),
    /** Also the identifier at the service, so that a repeated request registers one receipt. */
    id: id(),
    paymentId: uuid().notNull(),
    service: text({ enum: FISCAL_SERVICES }).notNull(),
    kind: text({ enum: RECEIPT_KINDS }).notNull(),
    state: text({ enum: RECEIPT_STATES }).notNull().default('waiting'),
    amount: integer().notNull(),
    /** The receipt of the sale that a return belongs to. */
    relatedId: uuid(),
    /** The number given by the tax service. */
    fiscalCode: text(),
    /** The page of the receipt for the buyer. */
    url: text(),
    /** The reason of the refusal, as returned by the service. */
    failure: text(),
    attempts: integer().notNull().default(0),
    nextTryAt: instant(),
    createdAt: createdAt(),
    doneAt: instant(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    unique().on(table.tenantId, table.paymentId),
    foreignKey({
      name: 'fiscal_receipt_payment',
      columns: [table.tenantId, table.paymentId],
      foreignColumns: [payment.tenantId, payment.id],
    }),
    foreignKey({
      name: 'fiscal_receipt_related',
      columns: [table.tenantId, table.relatedId],
      foreignColumns: [table.tenantId, table.id],
    }),
    index().on(table.tenantId, table.relatedId).where(sql`related_id is not null`),
    index().on(table.tenantId, table.nextTryAt).where(sql`next_try_at is not null`),
    ...enumChecks(table),
    ...countChecks(table.attempts),
    rangeCheck(table.amount, 1),
    lengthCheck(table.fiscalCode, 100),
    lengthCheck(table.url, 500),
    lengthCheck(table.failure, 300),
  ],
)
