import { and, eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { inTenant, pool } from '#lib/core/db/db.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { refundOrder } from '#lib/offer/order/refund.ts'
import { registration } from '#lib/registration/table.ts'
import { DAY_MS, instantAt, publishedCourse } from '../../../setup/course/groups.ts'
import { answerBank, createSoldOffer, newBuyer, order } from '../../../setup/offer/orders.ts'
import { createWorkshop } from '../../../setup/parsed/workshop.ts'
import { createTestTenant, type TestTenant } from '../../../setup/tenants.ts'

let home: TestTenant
let owner: Actor
let courseId: string
beforeAll(async () => {
  home = await createTestTenant()
  owner = home.as.OWNER
})
beforeEach(async () => {
  await pool.query('delete from throttle')
  courseId = (await publishedCourse(owner)).courseId
})
afterAll(() => pool.end())

async function newEvent(): Promise<string> {
  const startAt = instantAt(7 * DAY_MS)
  return (await createWorkshop(owner, { type: 'webinar', title: 'Ефір', timeZone: 'Europe/Kyiv', startAt })).workshopId
}
const stateOf = async (workshopId: string, email: string) => {
  const [row] = await inTenant(owner, (tx) =>
    tx
      .select()
      .from(registration)
      .where(and(eq(registration.workshopId, workshopId), eq(registration.email, email))),
  )
  return row?.state
}
const buy = async (workshopIds: string[], email: string) => {
  const offerId = await createSoldOffer(owner, courseId, { workshopIds, name: `Подій: ${workshopIds.length}` })
  return answerBank(await order(home, offerId, { email }), 'success')
}

test('a buyer is registered for the events of the offer with the payment, once', async () => {
  const workshopId = await newEvent()
  const offerId = await createSoldOffer(owner, courseId, { workshopIds: [workshopId] })
  const placed = await order(home, offerId)
  expect(await stateOf(workshopId, placed.email)).toBeUndefined()
  await answerBank(placed, 'success')
  await answerBank(placed, 'success')
  expect(await stateOf(workshopId, placed.email)).toBe('confirmed')
})

test('the recipient of a gift is registered instead of the buyer', async () => {
  const workshopId = await newEvent()
  const offerId = await createSoldOffer(owner, courseId, { workshopIds: [workshopId] })
  const gift = { name: 'Тарас Бондар', email: newBuyer(), message: '' }
  const paid = await answerBank(await order(home, offerId, { gift }), 'success')
  expect([await stateOf(workshopId, gift.email), await stateOf(workshopId, paid.email)]).toEqual([
    'confirmed',
    undefined,
  ])
})

test('a refund cancels the registrations of its order, except for an event of another paid order', async () => {
  const [first, second] = [await newEvent(), await newEvent()]
  const email = newBuyer()
  const paid = await buy([first, second], email)
  await buy([second], email)
  await refundOrder(owner, { orderId: paid.id, amount: 150_000, reason: 'Не підійшло', access: 'endNow' })
  expect([await stateOf(first, email), await stateOf(second, email)]).toEqual(['canceled', 'confirmed'])
})
