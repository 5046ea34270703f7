import { type SQL, sql } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import type { Currency } from '#lib/payment/schema.ts'

/** What the links of one button of an event have sold, in one currency. Money without refunds, in minor units. */
export interface ButtonSales {
  buttonId: string
  currency: Currency
  orderCount: number
  revenue: number
}

/** The sales by the buttons of one session of an event, without test purchases. The caller has checked the permission. */
export const readSessionSales = (tx: Tx, sessionId: string): Promise<ButtonSales[]> =>
  readSales(tx, sql`o.sold_in_session_id = ${sessionId}`)

/** The same of all automated sessions of an event. */
export const readAutoSessionSales = (tx: Tx, workshopId: string): Promise<ButtonSales[]> =>
  readSales(
    tx,
    sql`o.sold_in_session_id in (select s.id from workshop_session s
      where s.tenant_id = current_tenant() and s.workshop_id = ${workshopId} and s.kind = 'auto')`,
  )

async function readSales(tx: Tx, isSold: SQL): Promise<ButtonSales[]> {
  const { rows } = await tx.execute<ButtonSales & Record<string, unknown>>(sql`
    select o.sold_by_button_id as "buttonId", o.currency, count(*)::int as "orderCount",
      sum(o.paid_amount - o.refunded_amount)::float8 as revenue
    from sales_order o
    where o.tenant_id = current_tenant() and ${isSold} and o.paid_amount > 0 and not o.is_test
    group by o.sold_by_button_id, o.currency
    order by revenue desc, "buttonId"`)
  return rows
}
