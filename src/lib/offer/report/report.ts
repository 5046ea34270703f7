import { sql } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { instantOf, localDay } from '#lib/core/shared/time-zone.ts'
import type { Currency } from '#lib/payment/schema.ts'
import { requireOrderReader, visibleOrders } from '../order/permission.ts'
import { salesOrder } from '../order/table.ts'
import type { CurrencyReport, SalesReport, SalesReportInput } from './schema.ts'

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
  const months = Array.from({ length: MONTHS }, (_, index) => addMonths(last, index - MONTHS + 1))
  const first = months[0] ?? last
  return inTenant(actor, async (tx) => {
    const isTest = !(await hasRealPayments(tx))
    const rows = await readRows(tx, actor, {
      from: instantOf(`${first}-01`, '00:00', zone),
      to: instantOf(`${addMonths(last, 1)}-01`, '00:00', zone),
      isTest,
    })
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

async function hasRealPayments(tx: Tx): Promise<boolean> {
  const { rows } = await tx.execute(sql`
    select 1 from payment where tenant_id = current_tenant() and purpose = 'order' and status = 'success' and not is_test
    limit 1`)
  return rows.length > 0
}

// A subscription itself has no money; its charges have it, also after they were returned.
async function readRows(
  tx: Tx,
  actor: Actor,
  { from, to, isTest }: { from: Date; to: Date; isTest: boolean },
): Promise<Row[]> {
  const visible = visibleOrders(tx, actor) ?? sql`true`
  const { rows } = await tx.execute<Row & Record<string, unknown>>(sql`
    with money as (
      select to_char(p.paid_at at time zone ${actor.tenantTimeZone}, 'YYYY-MM') as month, p.currency,
        sales_order.offer_id, sales_order.coupon_id, coalesce(sales_order.source ->> 'utm_source', '') as source,
        count(*) filter (where p.kind <> 'refund') as payments,
        coalesce(sum(p.amount) filter (where p.kind <> 'refund'), 0) as received,
        coalesce(sum(p.amount) filter (where p.kind = 'refund'), 0) as refunded
      from payment p
      join ${salesOrder} on sales_order.tenant_id = p.tenant_id and sales_order.id = p.purpose_id
      where p.tenant_id = current_tenant() and p.purpose = 'order' and p.is_test = ${isTest}
        and p.paid_at >= ${from.toISOString()}::timestamptz and p.paid_at < ${to.toISOString()}::timestamptz
        and (p.kind in ('once', 'refund') and p.status = 'success'
          or p.kind = 'recurrent' and p.parent_id is not null and p.status in ('success', 'recurrent refund'))
        and ${visible}
      group by 1, 2, 3, 4, 5),
    grouped as (
      select currency, month, offer_id, source, coupon_id,
        grouping(month, offer_id, source, coupon_id) as dimensions,
        sum(payments)::int as "paymentCount", sum(received)::float8 as received, sum(refunded)::float8 as refunded
      from money
      group by grouping sets ((currency), (currency, month), (currency, offer_id), (currency, source), (currency, coupon_id)))
    select case grouped.dimensions when 15 then 'total' when 7 then 'month' when 11 then 'offer' when 13 then 'source' else 'coupon' end
        as dimension, grouped.currency, "paymentCount", received, refunded, course.title as course,
      case grouped.dimensions when 7 then grouped.month when 11 then offer.name when 13 then grouped.source when 14 then coupon.code end as name
    from grouped
    left join offer on offer.tenant_id = current_tenant() and offer.id = grouped.offer_id
    left join course on course.tenant_id = current_tenant() and course.id = offer.course_id
    left join coupon on coupon.tenant_id = current_tenant() and coupon.id = grouped.coupon_id
    order by grouped.currency = 'UAH' desc, grouped.currency, received - refunded desc, name`)
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

/** The month so many months after another one, both as `2026-11`. */
export function addMonths(month: string, count: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number)
  return new Date(Date.UTC(year, number - 1 + count, 1)).toISOString().slice(0, 7)
}
