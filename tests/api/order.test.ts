import { afterAll, beforeAll, expect, test } from 'vitest'
import { pool } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import { publishedCourse } from '../setup/course/groups.ts'
import { answerBank, createSoldOffer, order } from '../setup/offer/orders.ts'
import { createOtherTenant, createTestTenant, type TestTenant } from '../setup/tenants.ts'
import { requestApi } from './api-request.ts'

let home: TestTenant
let other: TestTenant
let offerId: string
let paid: Awaited<ReturnType<typeof order>>
beforeAll(async () => {
  home = await createTestTenant()
  other = await createOtherTenant()
  await pool.query('delete from throttle')
  offerId = await createSoldOffer(home.as.OWNER, (await publishedCourse(home.as.OWNER)).courseId)
  paid = await answerBank(await order(home, offerId, { email: home.as.STUDENT.email }), 'success')
})
afterAll(() => pool.end())

test('orders are listed with totals, and read with payments and timeline but no secret of a card', async () => {
  const actor = home.as.DIRECTOR
  expect(await requestApi('GET', 'order/list?limit=5&state=paid', { actor })).toMatchObject({
    status: 200,
    body: {
      items: [{ id: paid.id, email: home.as.STUDENT.email }],
      totals: [{ currency: 'UAH', testCount: 1, paidAmount: 0 }],
    },
  })
  const card = await requestApi('GET', `order/get?orderId=${paid.id}`, { actor })
  expect(card).toMatchObject({
    status: 200,
    body: {
      order: { number: paid.number },
      payments: [{ provider: 'sandbox', status: 'success' }],
      refundable: 150_000,
    },
  })
  expect(JSON.stringify(card.body)).not.toContain('cardToken')
  expect((await requestApi('GET', 'order/list?limit=1000', { actor })).status).toBe(400)
})

test('a student lists the own purchases and not those of the school', async () => {
  const actor = home.as.STUDENT
  expect(await requestApi('GET', 'order/listMine', { actor })).toMatchObject({
    status: 200,
    body: { items: [{ publicId: paid.publicId, state: 'paid' }], next: null },
  })
  expect((await requestApi('GET', 'order/list', { actor })).status).toBe(403)
  expect((await requestApi('GET', 'order/listMine')).status).toBe(401)
})

test('an order of another school is not there, and a refund says which field is wrong', async () => {
  const foreign = await requestApi('GET', `order/get?orderId=${paid.id}`, { actor: other.as.OWNER })
  expect(foreign.status).toBe(404)
  const body = { orderId: paid.id, amount: 150_001, reason: 'Помилка', access: 'keep' }
  const tooMuch = await requestApi('POST', 'order/refund', { actor: home.as.OWNER, body })
  expect(tooMuch).toMatchObject({ status: 422, body: { fields: { amount: expect.anything() } } })
  const refunded = await requestApi('POST', 'order/refund', { actor: home.as.OWNER, body: { ...body, amount: 50_000 } })
  expect(refunded).toMatchObject({ status: 200, body: { status: 'success', failure: null } })
})

test('a promo code is saved twice as one, disabled and enabled, and names offers of the own school only', async () => {
  const actor = home.as.EXPERT
  const body = { couponId: newId(), code: 'осінь', type: 'percent', value: 10, offerIds: [offerId] }
  for (let each = 0; each < 2; each += 1)
    expect((await requestApi('POST', 'coupon/save', { actor, body })).body).toEqual({
      couponId: body.couponId,
      cheaperOffers: [],
    })
  const listed = async () => (await requestApi('GET', 'coupon/list', { actor })).body
  expect(await listed()).toMatchObject([{ code: 'ОСІНЬ', usedCount: 0, disabledAt: null }])
  await requestApi('POST', 'coupon/disable', { actor, body: { couponId: body.couponId } })
  expect(await listed()).toMatchObject([{ disabledAt: expect.any(String) }])
  await requestApi('POST', 'coupon/enable', { actor, body: { couponId: body.couponId } })
  expect(await listed()).toMatchObject([{ disabledAt: null }])
  const stolen = { ...body, couponId: newId(), code: 'ЗИМА' }
  expect((await requestApi('POST', 'coupon/save', { actor: other.as.OWNER, body: stolen })).status).toBe(404)
})
