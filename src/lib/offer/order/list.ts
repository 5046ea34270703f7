import { and, desc, eq, exists, type SQL, sql } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { microsecondsOf, rowOfKey } from '#lib/core/db/keyset.ts'
import { InstantKey, readCursor, writeCursor } from '#lib/core/http/cursor.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { course } from '#lib/course/table.ts'
import type { Currency } from '#lib/payment/schema.ts'
import { matchesOrderFilter, type OrderTotals, readOrderTotals } from '../report/order-totals.ts'
import { offer } from '../table.ts'
import type { ListOrders } from './order-schema.ts'
import { requireOrderReader, visibleOrders } from './permission.ts'
import type { OrderState } from './state-schema.ts'
import { salesOrder } from './table.ts'

export interface OrderListItem {
  id: string
  number: number
  state: OrderState
  /** Of test payments: no money was received. */
  isTest: boolean
  buyerName: string
  email: string
  phone: string
  course: string
  offer: string
  amount: number
  paidAmount: number
  refundedAmount: number
  currency: Currency
  createdAt: Date
  paidAt: Date | null
  /** Until when an unpaid order holds its seat and coupon. */
  reservedUntil: Date | null
}

/**
 * Orders of a filter, newest first, with the totals of the whole filter: null where a search finds too many. Experts see
 * those of their courses. Refuses with forbidden.
 */
export function listOrders(
  actor: Actor,
  input: ListOrders,
): Promise<{ items: OrderListItem[]; next: string | null; totals: OrderTotals[] | null }> {
  requireOrderReader(actor)
  return inTenant(actor, async (tx) => {
    const [page, totals] = await Promise.all([readOrderPage(tx, actor, input), readOrderTotals(tx, actor, input)])
    return { ...page, totals }
  })
}

/** One page of `listOrders` without the totals. Refuses with forbidden. */
export function listOrderPage(
  actor: Actor,
  input: ListOrders,
): Promise<{ items: OrderListItem[]; next: string | null }> {
  requireOrderReader(actor)
  return inTenant(actor, (tx) => readOrderPage(tx, actor, input))
}

const MAX_COURSES = 500

/** The courses that have orders which the actor may see, by title. Refuses with forbidden. */
export function listOrderCourses(actor: Actor): Promise<{ id: string; title: string }[]> {
  requireOrderReader(actor)
  return inTenant(actor, (tx) =>
    tx
      .select({ id: course.id, title: course.title })
      .from(course)
      .where(
        exists(
          tx
            .select({ id: salesOrder.id })
            .from(salesOrder)
            .where(
              and(
                eq(salesOrder.tenantId, course.tenantId),
                eq(salesOrder.courseId, course.id),
                visibleOrders(tx, actor),
              ),
            ),
        ),
      )
      .orderBy(course.title, course.id)
      .limit(MAX_COURSES),
  )
}

/** Creation of an order as the key of a page, with the precision of the database. */
export const createdAtKey = microsecondsOf(salesOrder.createdAt)

/** Condition: orders after the one of a cursor, newest first. Refuses with invalid for another cursor. */
export function olderThan(cursor: string | undefined): SQL | undefined {
  const after = readCursor(InstantKey, cursor)
  return after
    ? sql`(${salesOrder.createdAt}, ${salesOrder.id}) <
        ${rowOfKey(after)}`
    : undefined
}

async function readOrderPage(tx: Tx, actor: Actor, { cursor, limit, ...filter }: ListOrders) {
  const rows = await tx
    .select({
      id: salesOrder.id,
      number: salesOrder.number,
      state: salesOrder.state,
      isTest: salesOrder.isTest,
      buyerName: salesOrder.buyerName,
      email: salesOrder.email,
      phone: salesOrder.phone,
      course: course.title,
      offer: offer.name,
      amount: salesOrder.amount,
      paidAmount: salesOrder.paidAmount,
      refundedAmount: salesOrder.refundedAmount,
      currency: salesOrder.currency,
      createdAt: salesOrder.createdAt,
      paidAt: salesOrder.paidAt,
      reservedUntil: salesOrder.reservedUntil,
      at: createdAtKey,
    })
    .from(salesOrder)
    .innerJoin(course, and(eq(course.tenantId, salesOrder.tenantId), eq(course.id, salesOrder.courseId)))
    .innerJoin(offer, and(eq(offer.tenantId, salesOrder.tenantId), eq(offer.id, salesOrder.offerId)))
    .where(and(visibleOrders(tx, actor), matchesOrderFilter(tx, filter, actor.tenantTimeZone), olderThan(cursor)))
    .orderBy(desc(salesOrder.createdAt), desc(salesOrder.id))
    .limit(limit + 1)
  const last = rows.length > limit ? rows[limit - 1] : undefined
  const items = rows.slice(0, limit).map(({ at: _, ...item }) => item)
  return { items, next: last ? writeCursor(InstantKey, last) : null }
}
