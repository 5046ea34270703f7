import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readCsv } from '#lib/core/csv/csv.ts'
import { readXlsx } from '#lib/core/csv/read-xlsx.ts'
import { inTenant, pool } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import { getTranslator } from '#lib/core/i18n/i18n.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { ROLES } from '#lib/core/shared/role.ts'
import { setStaff } from '#lib/course/staff.ts'
import { saveCoupon } from '#lib/offer/coupon/coupon.ts'
import { SaveCoupon } from '#lib/offer/coupon/schema.ts'
import { exportOrders } from '#lib/offer/order/export.ts'
import { listOrders } from '#lib/offer/order/list.ts'
import { ListOrders } from '#lib/offer/order/order-schema.ts'
import { refundOrder } from '#lib/offer/order/refund.ts'
import { salesOrder } from '#lib/offer/order/table.ts'
import { auditedActions } from '../../../setup/audit.ts'
import { publishedCourse } from '../../../setup/course/groups.ts'
import { answerBank, createSoldOffer, newBuyer, order } from '../../../setup/offer/orders.ts'
import { createOtherTenant, createTestTenant, type TestTenant } from '../../../setup/tenants.ts'

let home: TestTenant
let other: TestTenant
let owner: Actor
let courseId: string
const email = newBuyer()
let paid: Awaited<ReturnType<typeof answerBank>>
let waiting: Awaited<ReturnType<typeof order>>
beforeAll(async () => {
  home = await createTestTenant()
  other = await createOtherTenant()
  owner = home.as.OWNER
  await pool.query('delete from throttle')
  courseId = (await publishedCourse(owner)).courseId
  paid = await answerBank(await order(home, await createSoldOffer(owner, courseId), { email }), 'success')
  await refundOrder(owner, { orderId: paid.id, amount: 50_050, reason: 'Знижка', access: 'keep' })
  waiting = await order(home, await createSoldOffer(owner, courseId), { email })
  await inTenant(owner, (tx) => tx.update(salesOrder).set({ buyerName: '=1+1' }).where(eq(salesOrder.id, paid.id)))
})
afterAll(() => pool.end())

const file = async (actor: Actor, format: 'csv' | 'xlsx', filter: object = { q: email }) =>
  new Response(await exportOrders(actor, ListOrders.parse(filter), format, getTranslator('uk'))).bytes()
const rowsOf = async (actor: Actor, filter?: object) =>
  readCsv(new TextDecoder().decode(await file(actor, 'csv', filter)))

test('a CSV file has the orders of the list with amounts in major units, no formula, and is audited', async () => {
  expect(new TextDecoder().decode(await file(owner, 'csv'))).toContain("'=1+1")
  const [heading, ...rows] = await rowsOf(owner)
  expect(heading?.slice(0, 4)).toEqual(['Номер', 'Стан', 'Покупець', 'Пошта'])
  expect(rows.map(([number]) => Number(number))).toEqual([waiting.number, paid.number])
  expect(rows[1]?.slice(1, 4)).toEqual(['Частково повернуто', '=1+1', email])
  expect(rows[1]?.slice(7, 11)).toEqual(['1500', '1500', '500.5', 'UAH'])
  expect(rows[0]?.slice(8, 10)).toEqual(['0', '0'])
  expect(rows[1]?.[11]).toBe('тестовий режим')
  expect(rows[0]?.at(-1)).toBe('')
  expect(rows[1]?.at(-1)).toMatch(/^\d{4}-\d\d-\d\dT[\d:]+[+-]\d\d:\d\d$/)
  expect(await auditedActions(owner, home.tenant.id)).toContain('order.exported')
})

test('a workbook has the same rows', async () => {
  const rows = await readXlsx(await file(owner, 'xlsx'), 100)
  expect(rows.slice(1).map(([number]) => Number(number))).toEqual([waiting.number, paid.number])
  expect(rows[2]?.slice(7, 11)).toEqual(['1500', '1500', '500.5', 'UAH'])
})

test('the filters of the list select the rows, by offer too', async () => {
  const numbers = async (filter: object) => (await rowsOf(owner, filter)).slice(1).map(([number]) => Number(number))
  expect(await numbers({ q: email, state: 'awaiting_payment' })).toEqual([waiting.number])
  expect(await numbers({ offerId: paid.offerId })).toEqual([paid.number])
  expect(await numbers({ q: email, to: '2020-01-01' })).toEqual([])
  const { totals } = await listOrders(owner, ListOrders.parse({ offerId: paid.offerId }))
  expect(totals).toEqual([{ currency: 'UAH', count: 1, testCount: 1, paidAmount: 0, refundedAmount: 0 }])
})

test('the orders of a coupon are listed', async () => {
  const coupon = SaveCoupon.parse({ couponId: newId(), code: 'ОСІНЬ', type: 'percent', value: 10 })
  await saveCoupon(owner, coupon)
  const offerId = await createSoldOffer(owner, courseId)
  const placed = await order(home, offerId, { coupon: 'ОСІНЬ', shownTotal: 135_000 })
  const { items } = await listOrders(owner, ListOrders.parse({ couponId: coupon.couponId }))
  expect(items.map(({ id }) => id)).toEqual([placed.id])
})

test('a file of many pages has every order once', async () => {
  await inTenant(owner, (tx) =>
    tx.execute(sql`
      insert into sales_order (tenant_id, id, number, public_id, offer_id, course_id, state, snapshot, buyer_name, email,
        currency, list_amount, amount, locale, consent_at, created_at)
      select tenant_id, gen_random_uuid(), 100000 + n, gen_random_uuid(), offer_id, course_id, 'expired', snapshot,
        'Багато', 'many@kafedra.test', currency, 0, 0, locale, consent_at, created_at
      from sales_order, generate_series(1, 450) n where id = ${paid.id}`),
  )
  const numbers = (await rowsOf(owner, { q: 'many@kafedra.test' })).slice(1).map(([number]) => number)
  expect(new Set(numbers).size).toBe(450)
  expect(numbers).toHaveLength(450)
})

test('experts export the orders of their courses, other roles none, and no school those of another', async () => {
  for (const role of ROLES) {
    const answer = await file(home.as[role], 'csv').then(
      () => 'exported',
      ({ code }: { code: string }) => code,
    )
    const isAllowed = ['OWNER', 'DIRECTOR', 'EXPERT'].includes(role)
    expect([role, answer]).toEqual([role, isAllowed ? 'exported' : 'forbidden'])
  }
  expect(await rowsOf(home.as.EXPERT)).toHaveLength(1)
  await setStaff(owner, { courseId, staff: [{ memberId: home.as.EXPERT.membershipId, role: 'expert' }] })
  expect(await rowsOf(home.as.EXPERT)).toHaveLength(3)
  expect(await rowsOf(other.as.OWNER)).toHaveLength(1)
})
