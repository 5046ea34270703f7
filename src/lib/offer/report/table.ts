import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  date,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { enumChecks } from '../../core/db/checks.ts'
import { id, tenantId } from '../../core/db/columns.ts'
import { CURRENCIES } from '../../payment/schema.ts'
import { tenant } from '../../tenant/table.ts'
import { ORDER_STATES } from '../order/state-schema.ts'
import { ORDER_GRAINS, REVENUE_DIMENSIONS } from './schema.ts'

/**
 * Numbers and amounts of orders by the day of their creation in the time zone of the tenant. A trigger adds rows of the
 * grain `change`, which a job adds to those of the other grains. The sum of all rows that apply is exact at any time.
 */
export const orderRollup = pgTable(
  'order_rollup',
  {
    tenantId: tenantId().references(() => tenant.id),
    id: id(),
    grain: text({ enum: ORDER_GRAINS }).notNull(),
    /** The first day of the period; of the grain `all` 1970-01-01. */
    firstDay: date().notNull(),
    state: text({ enum: ORDER_STATES }).notNull(),
    currency: text({ enum: CURRENCIES }).notNull(),
    courseId: uuid().notNull(),
    offerId: uuid().notNull(),
    /** Zero: without a coupon. */
    couponId: uuid().notNull(),
    /** Orders of test payments. */
    isTest: boolean().notNull().default(false),
    orderCount: integer().notNull(),
    paidAmount: bigint({ mode: 'number' }).notNull(),
    refundedAmount: bigint({ mode: 'number' }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    ...enumChecks(table),
    index().on(table.tenantId, table.grain, table.firstDay),
    uniqueIndex('order_rollup_group')
      .on(
        table.tenantId,
        table.grain,
        table.firstDay,
        table.state,
        table.currency,
        table.offerId,
        table.couponId,
        table.isTest,
      )
      .where(sql`grain <> 'change'`),
  ],
)

/**
 * What was received and refunded by the month of the payment in the time zone of the tenant, maintained as orderRollup. A
 * row of `change` has all values of its order; the others have only those of their dimension, and zero for the rest.
 */
export const revenueRollup = pgTable(
  'revenue_rollup',
  {
    tenantId: tenantId().references(() => tenant.id),
    id: id(),
    dimension: text({ enum: REVENUE_DIMENSIONS }).notNull(),
    /** `2026-11` */
    month: text().notNull(),
    isTest: boolean().notNull(),
    currency: text({ enum: CURRENCIES }).notNull(),
    courseId: uuid().notNull(),
    offerId: uuid().notNull(),
    couponId: uuid().notNull(),
    source: text().notNull(),
    paymentCount: integer().notNull(),
    received: bigint({ mode: 'number' }).notNull(),
    refunded: bigint({ mode: 'number' }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    ...enumChecks(table),
    index().on(table.tenantId, table.isTest, table.month),
    index('revenue_rollup_change').on(table.tenantId).where(sql`dimension = 'change'`),
    uniqueIndex('revenue_rollup_group')
      .on(
        table.tenantId,
        table.month,
        table.isTest,
        table.currency,
        table.courseId,
        table.dimension,
        table.offerId,
        table.couponId,
        table.source,
      )
      .where(sql`dimension <> 'change'`),
  ],
)
