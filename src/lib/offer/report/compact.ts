import { type SQL, sql } from 'drizzle-orm'
import { inTenant } from '#lib/core/db/db.ts'
import { forEachTenant } from '#lib/core/jobs/tenants.ts'
import { moveRollupsOf } from './move-rollups.ts'

const DUE = `select 1 where exists (select 1 from order_rollup where tenant_id = current_tenant() and grain = 'change')
  or exists (select 1 from revenue_rollup where tenant_id = current_tenant() and dimension = 'change')
  or exists (select 1 from tenant t where t.id = current_tenant() and (
    (select min(rollup_zone) from sales_order where tenant_id = t.id) < t.time_zone
    or (select max(rollup_zone) from sales_order where tenant_id = t.id) > t.time_zone))`

/**
 * Adds the changes of orders and payments to the rollups, so that lists and reports read few rows. The sums stay the same
 * at any time. Also moves orders that still count in a former time zone of their school. Periodic; returns the number of schools.
 */
export function compactRollups(now = new Date()): Promise<number> {
  return forEachTenant({ job: 'offer.compactRollups', dueSql: DUE, now }, async (tenantId) => {
    await moveRollupsOf(tenantId)
    return compactRollupsOf(tenantId)
  })
}

/** The same for one tenant. */
export function compactRollupsOf(tenantId: string): Promise<number> {
  return inTenant({ tenantId }, async (tx) => {
    // Changes that were not yet visible to the deletion stay for the next time.
    await tx.execute(sql`select lock_sales_rollup(current_tenant())`)
    await tx.execute(sql`
      with added as (delete from order_rollup where tenant_id = current_tenant() and grain = 'change' returning *)
      insert into order_rollup as r
        (tenant_id, id, grain, first_day, state, currency, course_id, offer_id, coupon_id, is_test, order_count, paid_amount,
        refunded_amount)
      select tenant_id, time_ordered_id(), period.grain, period.first_day, state, currency, course_id, offer_id, coupon_id, is_test,
        sum(order_count), sum(paid_amount), sum(refunded_amount)
      from added cross join lateral (values ('all', date '1970-01-01'), ('day', added.first_day),
        ('month', date_trunc('month', added.first_day)::date)) period (grain, first_day)
      group by tenant_id, period.grain, period.first_day, state, currency, course_id, offer_id, coupon_id, is_test
      order by period.grain, period.first_day, state, currency, offer_id, coupon_id, is_test
      on conflict (tenant_id, grain, first_day, state, currency, offer_id, coupon_id, is_test) where grain <> 'change'
      do update set order_count = r.order_count + excluded.order_count, paid_amount = r.paid_amount + excluded.paid_amount,
        refunded_amount = r.refunded_amount + excluded.refunded_amount`)
    await tx.execute(sql`
      with added as (delete from revenue_rollup where tenant_id = current_tenant() and dimension = 'change' returning *)
      insert into revenue_rollup as r (tenant_id, id, dimension, month, is_test, currency, course_id, offer_id, coupon_id, source,
        payment_count, received, refunded)
      select tenant_id, time_ordered_id(), d.dimension, month, is_test, currency, course_id, d.offer_id, d.coupon_id, d.source,
        sum(payment_count), sum(received), sum(refunded)
      from added cross join lateral ${revenueDimensions(sql`added`)}
      group by tenant_id, d.dimension, month, is_test, currency, course_id, d.offer_id, d.coupon_id, d.source
      order by month, is_test, currency, course_id, d.dimension, d.offer_id, d.coupon_id, d.source
      on conflict (tenant_id, month, is_test, currency, course_id, dimension, offer_id, coupon_id, source) where dimension <> 'change'
      do update set payment_count = r.payment_count + excluded.payment_count, received = r.received + excluded.received,
        refunded = r.refunded + excluded.refunded`)
    return 1
  })
}

const NONE = sql`'00000000-0000-0000-0000-000000000000'::uuid`

/** A table `d` of one row for each dimension of a row `change` of revenue_rollup. */
export const revenueDimensions = (row: SQL): SQL => sql`(values ('offer', ${row}.offer_id, ${NONE}, ''),
  ('coupon', ${NONE}, ${row}.coupon_id, ''), ('source', ${NONE}, ${NONE}, ${row}.source)) d (dimension, offer_id, coupon_id, source)`
