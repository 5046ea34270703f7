import { afterAll, beforeAll, expect, test } from 'vitest'
import { readCsv } from '#lib/core/csv/csv.ts'
import { pool } from '#lib/core/db/db.ts'
import { getTranslator } from '#lib/core/i18n/i18n.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { setStaff } from '#lib/course/staff.ts'
import { addOrderNote, getOrder } from '#lib/offer/order/card.ts'
import { exportOrders } from '#lib/offer/order/export.ts'
import { listOrderCourses, listOrders } from '#lib/offer/order/list.ts'
import { ListOrders } from '#lib/offer/order/order-schema.ts'
import { refundOrder } from '#lib/offer/order/refund.ts'
import { resendOrderEmail } from '#lib/offer/order/resend/resend.ts'
import { exportSalesReport } from '#lib/offer/report/export.ts'
import { readSalesReport } from '#lib/offer/report/report.ts'
import { cancelByStaff } from '#lib/offer/subscription/cancel.ts'
import { pauseByStaff, resumeByStaff } from '#lib/offer/subscription/pause.ts'
import { publishedCourse } from '../../../setup/course/groups.ts'
import { answerBank, countAsMoney, createSoldOffer, order } from '../../../setup/offer/orders.ts'
import { createTestTenant, type TestTenant } from '../../../setup/tenants.ts'

const t = getTranslator('uk')
const ALL = ListOrders.parse({})

let home: TestTenant
let expert: Actor
let own: Awaited<ReturnType<typeof answerBank>>
let foreign: Awaited<ReturnType<typeof answerBank>>
beforeAll(async () => {
  home = await createTestTenant()
  expert = home.as.EXPERT
  await pool.query('delete from throttle')
  own = await sell('Курс експерта')
  foreign = await sell('Інший курс')
  await setStaff(home.as.OWNER, {
    courseId: own.courseId,
    staff: [{ memberId: expert.membershipId, role: 'expert' }],
  })
})
afterAll(() => pool.end())

async function sell(name: string) {
  const { courseId } = await publishedCourse(home.as.OWNER)
  const offerId = await createSoldOffer(home.as.OWNER, courseId, { name })
  return answerBank(await order(home, offerId), 'success')
}

test('an expert sees the list, the totals, the cards and the file of orders of the own courses only', async () => {
  await countAsMoney(home)
  const { items, totals } = await listOrders(expert, ALL)
  expect(items.map(({ id }) => id)).toEqual([own.id])
  expect(totals).toEqual([{ currency: 'UAH', count: 1, testCount: 0, paidAmount: 150_000, refundedAmount: 0 }])
  expect((await listOrders(expert, { ...ALL, q: foreign.email })).items).toEqual([])
  expect((await listOrders(expert, { ...ALL, courseId: foreign.courseId })).totals).toEqual([])
  expect((await listOrderCourses(expert)).map(({ id }) => id)).toEqual([own.courseId])
  expect((await getOrder(expert, { orderId: own.id })).payments).toHaveLength(1)
  await expect(getOrder(expert, { orderId: foreign.id })).rejects.toMatchObject({ code: 'not_found' })
  const file = await new Response(await exportOrders(expert, ALL, 'csv', t)).text()
  expect(
    readCsv(file)
      .slice(1)
      .map(([number]) => Number(number)),
  ).toEqual([own.number])
})

test('the report of an expert and its file have the sales of the own courses only', async () => {
  const { currencies } = await readSalesReport(expert, {})
  expect(currencies.map(({ total, offers }) => [total.received, offers.map(({ name }) => name)])).toEqual([
    [150_000, ['Курс експерта']],
  ])
  const file = await exportSalesReport(expert, {}, t)
  expect(file).toContain('Курс експерта')
  expect(file).not.toContain('Інший курс')
})

test('an expert returns no money, sends no email, adds no note and ends no subscription, also of the own courses', async () => {
  const input = { orderId: own.id }
  for (const action of [
    async () => refundOrder(expert, { ...input, amount: 1, reason: 'Знижка', access: 'keep' }),
    async () => resendOrderEmail(expert, { ...input, email: 'confirmation' }),
    async () => addOrderNote(expert, { ...input, text: 'Телефонував' }),
    async () => cancelByStaff(expert, input),
    async () => pauseByStaff(expert, input),
    async () => resumeByStaff(expert, input),
  ])
    await expect(action()).rejects.toMatchObject({ code: 'forbidden' })
})
