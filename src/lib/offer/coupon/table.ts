import { index, integer, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { enumChecks, lengthCheck, orderCheck, rangeCheck } from '../../core/db/checks.ts'
import { createdAt, id, instant, keyTo, tenantId } from '../../core/db/columns.ts'
import { CURRENCIES } from '../../payment/schema.ts'
import { tenant } from '../../tenant/table.ts'
import { memberKey } from '../../user/table.ts'
import { MAX_AMOUNT } from '../schema.ts'
import { COUPON_TYPES } from './schema.ts'

/** A promo code. Its uses are the orders that name it. */
export const coupon = pgTable(
  'coupon',
  {
    tenantId: tenantId().references(() => tenant.id),
    id: id(),
    /** In capitals. */
    code: text().notNull(),
    type: text({ enum: COUPON_TYPES }).notNull(),
    /** Percent, or minor units. */
    value: integer().notNull(),
    currency: text({ enum: CURRENCIES }).notNull(),
    /** Null: all offers. */
    offerIds: uuid().array(),
    startsAt: instant(),
    endsAt: instant(),
    maxTotal: integer(),
    maxPerPerson: integer(),
    createdBy: uuid().notNull(),
    createdAt: createdAt(),
    /** No longer accepted. */
    disabledAt: instant(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    memberKey('coupon_created_by', [table.tenantId, table.createdBy]),
    uniqueIndex('coupon_code').on(table.tenantId, table.code),
    index().on(table.tenantId, table.createdAt, table.id),
    index().on(table.tenantId, table.createdBy),
    ...enumChecks(table),
    rangeCheck(table.value, 0, MAX_AMOUNT),
    rangeCheck(table.maxTotal, 1, 1_000_000),
    rangeCheck(table.maxPerPerson, 1, 1000),
    orderCheck(table.startsAt, table.endsAt),
    lengthCheck(table.code, 40),
  ],
)

/** Foreign key to a coupon within the tenant. */
export const couponKey = keyTo(coupon)
