import { sql } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { localDay } from '#lib/core/shared/time-zone.ts'
import type { Currency } from '#lib/payment/schema.ts'
import { requireOrderReader, visibleOrders } from '../order/permission.ts'
import { revenueDimensions } from './compact.ts'
import { addReportMonths } from './month-rules.ts'
import type { CurrencyReport, SalesReport, SalesReportInput } from './schema.ts'
import { revenueRollup } from './table.ts'

const MONTHS = 12
const TOP = 50

/**
 * What was received and refunded in a year: by month, offer, source and promo code. Payments count in the month in which
 * they were made. Test payments count as long as there are no others. Experts get the sales of their courses. Refuses with
 * forbidden.
 */
export function readSalesReport(actor: Actor, input: SalesReportInput, now = new Date()): Promise<SalesReport> {
  requireOrderReader(actor)
  const zone = actor.tenantTimeZone
  const last = input.until ?? localDay(now, zone).slice(0, 7)
  const months = Array.from({ length: MONTHS }, (_, index) => addReportMonths(last, index - MONTHS + 1))
  const first = months[0] ?? last
  return inTenant(actor, async (tx) => {
    const isTest = !(await hasRealPayments(tx))
    const rows = await readRows(tx, actor, { first, last, isTest })
    const currencies = [...new Set(rows.map(({ currency }) => currency))]
    return { first, last, isTest, currencies: currencies.map((currency) => toReport(currency, rows, months)) }
  })
}

/** A group of payments: exactly one of the dimensions is set, and none for the total. */
interface Row {
  dimension: 'total' | 'month' | 'offer' | 'source' | 'coupon'
  currency: Currency
  name: string | null
  course: string | null
  paymentCount: number
  received: number
  refunded: number
}

/** Whether the school has received money: test payments do not count then. */
async function hasRealPayments(tx: Tx): Promise<boolean> {
  const { rows } = await tx.execute(sql`
    select 1 from revenue_rollup where tenant_id = current_tenant() and not is_test
    having sum(payment_count) > 0`)
  return rows.length > 0
}

// Every payment has one offer, so that their sums are those of the months and of the whole year.
async function readRows(
  tx: Tx,
  actor: Actor,
  { first, last, isTest }: { first: string; last: string; isTest: boolean },
): Promise<Row[]> {
  const inYear = sql`revenue_rollup.tenant_id = current_tenant() and revenue_rollup.is_test = ${isTest}
    and revenue_rollup.month between ${first} and ${last} and ${visibleOrders(tx, actor, revenueRollup.courseId) ?? sql`true`}`
  const { rows } = await tx.execute<Row & Record<string, unknown>>(sql`
    with money as (
      select month, currency, dimension, offer_id, coupon_id, source, payment_count, received, refunded
      from ${revenueRollup} where ${inYear} and dimension <> 'change'
      union all
      select month, currency, d.dimension, d.offer_id, d.coupon_id, d.source, payment_count, received, refunded
      from ${revenueRollup} cross join lateral ${revenueDimensions(sql`${revenueRollup}`)}
      where ${inYear} and revenue_rollup.dimension = 'change'),
    grouped as (
      select case when grouping(offer_id) = 0 then 'offer' when grouping(month) = 0 then 'month' else 'total' end as dimension,
        currency, month, offer_id, null::uuid as coupon_id, null as source, sum(payment_count) as payments,
        sum(received) as received, sum(refunded) as refunded
      from money where dimension = 'offer'
      group by grouping sets ((currency), (currency, month), (currency, offer_id))
      union all
      select dimension, currency, null, null, coupon_id, source, sum(payment_count), sum(received), sum(refunded)
      from money where dimension <> 'offer' group by dimension, currency, coupon_id, source)
    select grouped.dimension, grouped.currency, payments::int as "paymentCount", received::float8, refunded::float8,
      course.title as course,
      case grouped.dimension when 'month' then grouped.month when 'offer' then offer.name when 'source' then grouped.source
        when 'coupon' then coupon.code end as name
    from grouped
    left join offer on offer.tenant_id = current_tenant() and offer.id = grouped.offer_id
    left join course on course.tenant_id = current_tenant() and course.id = offer.course_id
    left join coupon on coupon.tenant_id = current_tenant() and coupon.id = grouped.coupon_id
    where payments <> 0 or received <> 0 or refunded <> 0
    order by grouped.currency = 'UAH' desc, grouped.currency, grouped.received - grouped.refunded desc, name`)
  return rows
}

function toReport(currency: Currency, all: readonly Row[], months: readonly string[]): CurrencyReport {
  const rows = all.filter((row) => row.currency === currency)
  const ofDimension = (dimension: Row['dimension']) => rows.filter((row) => row.dimension === dimension)
  const byMonth = new Map(ofDimension('month').map((row) => [row.name, row]))
  const named = (dimension: Row['dimension']) =>
    ofDimension(dimension)
      .slice(0, TOP)
      .map((row) => ({ ...revenueOf(row), name: row.name ?? '' }))
  return {
    currency,
    total: revenueOf(ofDimension('total')[0]),
    months: months.map((month) => ({ month, ...revenueOf(byMonth.get(month)) })),
    offers: ofDimension('offer')
      .slice(0, TOP)
      .map((row) => ({ ...revenueOf(row), name: row.name ?? '', course: row.course ?? '' })),
    sources: named('source'),
    coupons: named('coupon').filter(({ name }) => name !== ''),
  }
}

const revenueOf = (row: Row | undefined) => ({
  paymentCount: row?.paymentCount ?? 0,
  received: row?.received ?? 0,
  refunded: row?.refunded ?? 0,
})
