import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readCsv } from '#lib/core/csv/csv.ts'
import { inTenant, pool } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import { getTranslator } from '#lib/core/i18n/i18n.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { ROLES } from '#lib/core/shared/role.ts'
import { setStaff } from '#lib/course/staff.ts'
import { saveCoupon } from '#lib/offer/coupon/coupon.ts'
import { SaveCoupon } from '#lib/offer/coupon/schema.ts'
import { refundOrder } from '#lib/offer/order/refund.ts'
import { exportSalesReport } from '#lib/offer/report/export.ts'
import { readSalesReport } from '#lib/offer/report/report.ts'
import { SalesReportInput } from '#lib/offer/report/schema.ts'
import { payment } from '#lib/payment/table.ts'
import { publishedCourse } from '../../../setup/course/groups.ts'
import { answerBank, createSoldOffer, order } from '../../../setup/offer/orders.ts'
import { createOtherTenant, createTestTenant, type TestTenant } from '../../../setup/tenants.ts'

const NOW = new Date('2026-11-24T10:00:00Z')

let home: TestTenant
let other: TestTenant
let owner: Actor
let courseId: string
beforeAll(async () => {
  home = await createTestTenant()
  other = await createOtherTenant()
  owner = home.as.OWNER
  await pool.query('delete from throttle')
  courseId = (await publishedCourse(owner)).courseId
  const [first, second] = [await createSoldOffer(owner, courseId), await createSoldOffer(owner, courseId)]
  await saveCoupon(owner, SaveCoupon.parse({ couponId: newId(), code: 'ОСІНЬ', type: 'percent', value: 10 }))
  const source = { utm_source: 'instagram' }
  const november = await answerBank(
    await order(home, first, { source, coupon: 'ОСІНЬ', shownTotal: 135_000 }),
    'success',
  )
  const october = await answerBank(await order(home, second), 'success')
  const tooOld = await answerBank(await order(home, first), 'success')
  await order(home, first)
  await refundOrder(owner, { orderId: november.id, amount: 35_000, reason: 'Знижка', access: 'keep' })
  await paidAt(november, '2026-11-10T10:00:00Z')
  // In Kyiv it is the first of November already.
  await paidAt(october, '2026-10-31T22:30:00Z')
  await paidAt(tooOld, '2025-11-30T21:00:00Z')
})
afterAll(() => pool.end())

const paidAt = ({ id, tenantId }: { id: string; tenantId: string }, at: string) =>
  inTenant({ tenantId }, (tx) =>
    tx
      .update(payment)
      .set({ paidAt: new Date(at) })
      .where(eq(payment.purposeId, id)),
  )
const read = (actor: Actor, input: object = {}) => readSalesReport(actor, SalesReportInput.parse(input), NOW)

test('revenue counts payments and refunds by month of the school, offer, source and promo code', async () => {
  const { first, last, isTest, currencies } = await read(owner)
  expect([first, last, isTest]).toEqual(['2025-12', '2026-11', true])
  expect(currencies).toHaveLength(1)
  const [hryvnias] = currencies
  expect(hryvnias?.total).toEqual({ paymentCount: 2, received: 285_000, refunded: 35_000 })
  expect(hryvnias?.months).toHaveLength(12)
  expect(hryvnias?.months.at(-1)).toEqual({ month: '2026-11', paymentCount: 2, received: 285_000, refunded: 35_000 })
  expect(hryvnias?.months.at(-2)?.received).toBe(0)
  expect(hryvnias?.offers.map(({ received }) => received)).toEqual([150_000, 135_000])
  expect(hryvnias?.sources.map(({ name, received }) => [name, received])).toEqual([
    ['', 150_000],
    ['instagram', 135_000],
  ])
  expect(hryvnias?.coupons).toEqual([{ name: 'ОСІНЬ', paymentCount: 1, received: 135_000, refunded: 35_000 }])
})

test('another year has the payments of that year', async () => {
  const { currencies } = await read(owner, { until: '2025-11' })
  expect(currencies[0]?.total).toMatchObject({ paymentCount: 1, received: 150_000 })
  expect((await read(owner, { until: '2024-11' })).currencies).toEqual([])
  expect(SalesReportInput.safeParse({ until: '2026-13' }).success).toBe(false)
})

test('the file has the rows of the report in major units', async () => {
  const csv = await exportSalesReport(owner, { until: '2026-11' }, getTranslator('uk'))
  const rows = readCsv(csv)
  expect(rows).toContainEqual(['Промокоди (тестовий режим)', 'ОСІНЬ', 'UAH', '1', '1350', '350', '1000'])
})

test('experts see the sales of their courses, other roles none, and no school those of another', async () => {
  for (const role of ROLES) {
    const answer = await (async () => read(home.as[role]))().then(
      () => 'read',
      ({ code }: { code: string }) => code,
    )
    expect([role, answer]).toEqual([role, ['OWNER', 'DIRECTOR', 'EXPERT'].includes(role) ? 'read' : 'forbidden'])
  }
  expect((await read(home.as.EXPERT)).currencies).toEqual([])
  await setStaff(owner, { courseId, staff: [{ memberId: home.as.EXPERT.membershipId, role: 'expert' }] })
  expect((await read(home.as.EXPERT)).currencies[0]?.total.received).toBe(285_000)
  expect((await read(other.as.OWNER)).currencies).toEqual([])
})

test('test payments are omitted as soon as there is a real one', async () => {
  await inTenant(owner, (tx) => tx.update(payment).set({ isTest: false }).where(eq(payment.amount, 150_000)))
  const { isTest, currencies } = await read(owner)
  expect(isTest).toBe(false)
  expect(currencies[0]?.total.received).toBe(150_000)
})
