import { and, eq, gte, lt, lte, ne, or, type SQL, sql } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { addDays, instantOf } from '#lib/core/shared/time-zone.ts'
import type { Currency } from '#lib/payment/schema.ts'
import type { OrderFilter } from '../order/order-schema.ts'
import { visibleOrders } from '../order/permission.ts'
import { salesOrder } from '../order/table.ts'
import { matchesBuyer } from './match-buyer.ts'
import { monthOf, nextMonthOf } from './month-rules.ts'
import { orderRollup } from './table.ts'

/** Of all orders that a filter finds, in one currency. */
export interface OrderTotals {
  currency: Currency
  count: number
  /** Orders of test payments among them: their amounts are no money. */
  testCount: number
  paidAmount: number
  refundedAmount: number
}

/** Orders of a search that are summed up: more of them are not told apart by a name. */
export const MAX_SUMMED_ORDERS = 1000

/**
 * The totals of all orders that a filter finds and the actor may see: from the rollups, with a search from the orders. Null
 * where a search finds more than MAX_SUMMED_ORDERS.
 */
export function readOrderTotals(tx: Tx, actor: Actor, filter: OrderFilter): Promise<OrderTotals[] | null> {
  if (filter.q) return sumOrders(tx, actor, filter)
  const { state, courseId, offerId, couponId, from, to } = filter
  const count = sql<number>`sum(${orderRollup.orderCount})::int`
  return tx
    .select({
      currency: orderRollup.currency,
      count,
      testCount: sql<number>`coalesce(sum(${orderRollup.orderCount}) filter (where ${orderRollup.isTest}), 0)::int`,
      paidAmount: sql<number>`coalesce(sum(${orderRollup.paidAmount}) filter (where not ${orderRollup.isTest}), 0)::float8`,
      refundedAmount: sql<number>`coalesce(sum(${orderRollup.refundedAmount}) filter (where not ${orderRollup.isTest}), 0)::float8`,
    })
    .from(orderRollup)
    .where(
      and(
        visibleOrders(tx, actor, orderRollup.courseId),
        state ? eq(orderRollup.state, state) : undefined,
        courseId ? eq(orderRollup.courseId, courseId) : undefined,
        offerId ? eq(orderRollup.offerId, offerId) : undefined,
        couponId ? eq(orderRollup.couponId, couponId) : undefined,
        inPeriod(from, to),
      ),
    )
    .groupBy(orderRollup.currency)
    .having(ne(count, 0))
}

/** Condition: orders that a filter finds. */
export function matchesOrderFilter(
  tx: Tx,
  { state, courseId, offerId, couponId, from, to, q }: OrderFilter,
  zone: string,
): SQL | undefined {
  const midnight = (day: string) => instantOf(day, '00:00', zone)
  const number = /^№?\s*(\d{1,8})$/.exec(q)?.[1]
  return and(
    state ? eq(salesOrder.state, state) : undefined,
    courseId ? eq(salesOrder.courseId, courseId) : undefined,
    offerId ? eq(salesOrder.offerId, offerId) : undefined,
    couponId ? eq(salesOrder.couponId, couponId) : undefined,
    from ? gte(salesOrder.createdAt, midnight(from)) : undefined,
    to ? lt(salesOrder.createdAt, addDays(midnight(to), 1, zone)) : undefined,
    number ? eq(salesOrder.number, Number(number)) : matchesBuyer(tx, q),
  )
}

async function sumOrders(tx: Tx, actor: Actor, filter: OrderFilter): Promise<OrderTotals[] | null> {
  const { currency, isTest, paidAmount, refundedAmount } = salesOrder
  const found = tx
    .select({ currency, isTest, paidAmount, refundedAmount })
    .from(salesOrder)
    .where(and(visibleOrders(tx, actor), matchesOrderFilter(tx, filter, actor.tenantTimeZone)))
    .limit(MAX_SUMMED_ORDERS + 1)
    .as('found')
  const totals = await tx
    .select({
      currency: found.currency,
      count: sql<number>`count(*)::int`,
      testCount: sql<number>`(count(*) filter (where ${found.isTest}))::int`,
      paidAmount: sql<number>`coalesce(sum(${found.paidAmount}) filter (where not ${found.isTest}), 0)::float8`,
      refundedAmount: sql<number>`coalesce(sum(${found.refundedAmount}) filter (where not ${found.isTest}), 0)::float8`,
    })
    .from(found)
    .groupBy(found.currency)
  return totals.reduce((sum, { count }) => sum + count, 0) > MAX_SUMMED_ORDERS ? null : totals
}

// Whole months by their sums, and the days before and after them by theirs.
function inPeriod(from: string | undefined, to: string | undefined): SQL | undefined {
  const { grain, firstDay } = orderRollup
  if (!from && !to) return sql`${grain} in ('all', 'change')`
  const inDays = and(from ? gte(firstDay, from) : undefined, to ? lte(firstDay, to) : undefined)
  const changed = and(sql`${grain} = 'change'`, inDays)
  const firstMonth = from ? (from.endsWith('-01') ? from : nextMonthOf(from)) : undefined
  const monthsEnd = to ? monthOf(to) : undefined
  if (firstMonth && monthsEnd && firstMonth > monthsEnd) return or(changed, and(sql`${grain} = 'day'`, inDays))
  return or(
    changed,
    and(
      sql`${grain} = 'month'`,
      firstMonth ? gte(firstDay, firstMonth) : undefined,
      monthsEnd ? lt(firstDay, monthsEnd) : undefined,
    ),
    from && firstMonth ? and(sql`${grain} = 'day'`, gte(firstDay, from), lt(firstDay, firstMonth)) : undefined,
    to && monthsEnd ? and(sql`${grain} = 'day'`, gte(firstDay, monthsEnd), lte(firstDay, to)) : undefined,
  )
}
