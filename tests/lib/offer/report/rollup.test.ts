import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inTenant, pool } from '#lib/core/db/db.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { listOrders } from '#lib/offer/order/list.ts'
import { ListOrders } from '#lib/offer/order/order-schema.ts'
import { refundOrder } from '#lib/offer/order/refund.ts'
import { compactRollups, compactRollupsOf } from '#lib/offer/report/compact.ts'
import { moveRollupsOf } from '#lib/offer/report/move-rollups.ts'
import { readSalesReport } from '#lib/offer/report/report.ts'
import { publishedCourse } from '../../../setup/course/groups.ts'
import { answerBank, countAsMoney, createSoldOffer, order } from '../../../setup/offer/orders.ts'
import { createOtherTenant, createTestTenant, type TestTenant } from '../../../setup/tenants.ts'

let home: TestTenant
let owner: Actor
let courseId: string
let offerId: string
beforeAll(async () => {
  home = await createTestTenant()
  owner = home.as.OWNER
  await pool.query('delete from throttle')
  courseId = (await publishedCourse(owner)).courseId
  const offers = [await createSoldOffer(owner, courseId), await createSoldOffer(owner, courseId)]
  offerId = offers[0] ?? ''
  const days = [
    '2026-01-31T21:59:00Z',
    '2026-01-31T22:30:00Z',
    '2026-02-14T12:00:00Z',
    '2026-03-01T00:30:00Z',
    '2026-03-20T12:00:00Z',
  ]
  for (const [index, day] of days.entries()) {
    const sold = offers[index % 2]
    if (!sold) continue
    const placed = await order(home, sold)
    if (index !== 2) await answerBank(placed, 'success')
    await inTenant(owner, (tx) =>
      tx.execute(sql`update sales_order set created_at = ${day}::timestamptz where id = ${placed.id}`),
    )
    await inTenant(owner, (tx) =>
      tx.execute(
        sql`update payment set paid_at = ${day}::timestamptz where purpose_id = ${placed.id} and paid_at is not null`,
      ),
    )
    if (index === 4) await refundOrder(owner, { orderId: placed.id, amount: 50_000, reason: 'Знижка', access: 'keep' })
    if (index === 1) await compactRollupsOf(owner.tenantId)
    // One of the orders is a test purchase.
    if (index !== 3)
      await inTenant(owner, (tx) => tx.execute(sql`update sales_order set is_test = false where id = ${placed.id}`))
  }
})
afterAll(() => pool.end())

const FILTERS = [
  {},
  { state: 'paid' },
  { state: 'awaiting_payment' },
  { from: '2026-02-01' },
  { to: '2026-01-31' },
  { from: '2026-01-31', to: '2026-03-01' },
  { from: '2026-02-01', to: '2026-02-28' },
  { from: '2026-02-02', to: '2026-02-27' },
  { from: '2026-01-15', to: '2026-03-20', state: 'paid' },
  { from: '2026-03-02', to: '2026-03-19' },
] as const

const totalsOf = async (filter: object) => (await listOrders(owner, ListOrders.parse(filter))).totals ?? []
// The same totals from the orders of the page.
async function sumOf(filter: object) {
  const { items } = await listOrders(owner, ListOrders.parse({ ...filter, limit: 100 }))
  const real = items.filter(({ isTest }) => !isTest)
  const sum = (amounts: number[]) => amounts.reduce((total, amount) => total + amount, 0)
  return items.length === 0
    ? []
    : [
        {
          currency: 'UAH',
          count: items.length,
          testCount: items.filter(({ isTest }) => isTest).length,
          paidAmount: sum(real.map(({ paidAmount }) => paidAmount)),
          refundedAmount: sum(real.map(({ refundedAmount }) => refundedAmount)),
        },
      ]
}

async function expectExactTotals() {
  for (const filter of [...FILTERS, { offerId }, { courseId, from: '2026-02-01' }])
    expect(await totalsOf(filter), JSON.stringify(filter)).toEqual(await sumOf(filter))
}

test('the totals are those of the orders, before and after the rollups are compacted', async () => {
  expect(await totalsOf({})).toMatchObject([{ count: 5, testCount: 1, paidAmount: 450_000, refundedAmount: 50_000 }])
  await expectExactTotals()
  const before = await readSalesReport(owner, { until: '2026-11' })
  await compactRollupsOf(owner.tenantId)
  await compactRollupsOf(owner.tenantId)
  await expectExactTotals()
  expect(await readSalesReport(owner, { until: '2026-11' })).toEqual(before)
  const left = await inTenant(owner, (tx) =>
    tx.execute(sql`select 1 from order_rollup where grain = 'change'
    union all select 1 from revenue_rollup where dimension = 'change'`),
  )
  expect(left.rows).toEqual([])
})

async function changeZone(timeZone: string) {
  await pool.query('update tenant set time_zone = $2 where id = $1', [owner.tenantId, timeZone])
  owner = { ...owner, tenantTimeZone: timeZone }
}

test('days and months follow the time zone of the school', async () => {
  const inFebruary = { from: '2026-02-01', to: '2026-02-28' }
  expect((await totalsOf(inFebruary))[0]?.count).toBe(2)
  await changeZone('America/New_York')
  // Until an order is moved it counts in the former zone: the sum of all is exact at any time.
  const all = await totalsOf({})
  expect(await inTenant(owner, (tx) => tx.execute(sql`select move_sales_rollups(2) as moved`))).toMatchObject({
    rows: [{ moved: 2 }],
  })
  expect(await totalsOf({})).toEqual(all)
  // Purchases, payments and compactions between two pieces are counted once.
  const placed = await order(home, offerId)
  await answerBank(placed, 'success')
  await compactRollupsOf(owner.tenantId)
  expect(await moveRollupsOf(owner.tenantId, 2)).toBe(3)
  expect((await totalsOf(inFebruary))[0]?.count).toBe(2)
  expect((await totalsOf({ to: '2026-01-31' }))[0]?.count).toBe(2)
  await expectExactTotals()
  const months = (await readSalesReport(owner, { until: '2026-11' })).currencies[0]?.months
  expect(months?.find(({ month }) => month === '2026-01')?.received).toBe(300_000)
  await changeZone('Europe/Kyiv')
  expect(await compactRollups()).toBeGreaterThan(0)
  await expectExactTotals()
})

test('moving to another time zone waits for no purchase for long, and leaves what is locked to the next run', async () => {
  await changeZone('Asia/Tokyo')
  const purchase = await pool.connect()
  await purchase.query('begin')
  await purchase.query("select set_config('app.tenant_id', $1, true)", [owner.tenantId])
  // A purchase that has counted something and is not committed yet.
  await purchase.query('update sales_order set source = \'{"utm_source":"x"}\' where offer_id = $1', [offerId])
  const moving = moveRollupsOf(owner.tenantId)
  const started = performance.now()
  const sold = await createSoldOffer(owner, courseId)
  await order(home, sold)
  expect(performance.now() - started).toBeLessThan(3000)
  await purchase.query('commit')
  purchase.release()
  expect(await moving).toBe(6)
  await expectExactTotals()
  expect(await totalsOf({ offerId: sold })).toMatchObject([{ count: 1 }])
  await changeZone('Europe/Kyiv')
  await moveRollupsOf(owner.tenantId)
  await inTenant(owner, (tx) => tx.execute(sql`update sales_order set source = '{}' where offer_id = ${offerId}`))
})

test('revenue moves with the source of an order, and disappears with the payment', async () => {
  const report = async () => (await readSalesReport(owner, { until: '2026-11' })).currencies[0]
  await compactRollupsOf(owner.tenantId)
  const before = await report()
  await inTenant(owner, (tx) =>
    tx.execute(sql`update sales_order set source = '{"utm_source":"telegram"}' where offer_id = ${offerId}`),
  )
  expect((await report())?.sources.map(({ name }) => name).sort()).toEqual(['', 'telegram'])
  await inTenant(owner, (tx) => tx.execute(sql`update sales_order set source = '{}' where offer_id = ${offerId}`))
  expect(await report()).toEqual(before)
  await inTenant(owner, (tx) => tx.execute(sql`delete from payment where kind = 'refund'`))
  expect((await report())?.total.refunded).toBe(0)
})

test('concurrent payments and compactions lose nothing, and no school sees those of another', async () => {
  const other = await createOtherTenant()
  const sold = await createSoldOffer(owner, courseId)
  await pool.query('delete from throttle')
  const placed = await Promise.all(Array.from({ length: 6 }, () => order(home, sold)))
  await Promise.all(placed.flatMap((row) => [answerBank(row, 'success'), compactRollupsOf(owner.tenantId)]))
  expect(await totalsOf({ offerId: sold })).toMatchObject([{ count: 6, testCount: 6, paidAmount: 0 }])
  await countAsMoney(home)
  expect(await totalsOf({ offerId: sold })).toMatchObject([{ count: 6, testCount: 0, paidAmount: 900_000 }])
  await expectExactTotals()
  expect((await listOrders(other.as.OWNER, ListOrders.parse({}))).totals).toEqual([])
})
