import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { pool } from '#lib/core/db/db.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { payAgain, readOrderPage } from '#lib/offer/checkout/read-order.ts'
import { publishedCourse } from '../../../setup/course/groups.ts'
import { answerBank, createSoldOffer, currentGrants, order } from '../../../setup/offer/orders.ts'
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

const buyInThree = async () => {
  const plan = { kind: 'installments', installmentCount: 3, installmentDays: 30, firstAmount: 50_001 } as const
  return order(home, await createSoldOffer(owner, courseId, plan))
}
const payRest = (publicId: string) =>
  payAgain({ tenantId: home.tenant.id, address: '10.8.0.2' }, { publicId, provider: 'sandbox', part: 'rest' as const })

test('everything that is left of an installment plan can be paid at once, and the access has no end then', async () => {
  const placed = await buyInThree()
  expect((await readOrderPage(home.tenant.id, placed.publicId)).restAmount).toBeNull()
  const first = await answerBank(placed, 'success')
  expect(await readOrderPage(home.tenant.id, placed.publicId)).toMatchObject({ restAmount: 99_999, nextAmount: 50_000 })
  await payRest(placed.publicId)
  const paid = await answerBank(first, 'success')
  expect(paid).toMatchObject({ state: 'completed', paidAmount: 150_000, nextDueAt: null })
  expect(paid.schedule.every(({ paidAt }) => paidAt !== null)).toBe(true)
  expect(await currentGrants(home.tenant.id, paid.studentId ?? '')).toMatchObject([{ endsAt: null }])
  await expect(payRest(placed.publicId)).rejects.toMatchObject({ details: { fields: { form: ['order_closed'] } } })
})

test('before the first payment and for the last one, the rest is the next payment', async () => {
  const placed = await buyInThree()
  await payRest(placed.publicId)
  expect(await answerBank(placed, 'success')).toMatchObject({ state: 'active', paidAmount: 50_001 })
  await payAgain({ tenantId: home.tenant.id, address: '10.8.0.2' }, { publicId: placed.publicId, provider: 'sandbox' })
  expect(await answerBank(placed, 'success')).toMatchObject({ state: 'active', paidAmount: 100_001 })
  expect((await readOrderPage(home.tenant.id, placed.publicId)).restAmount).toBeNull()
  await payRest(placed.publicId)
  expect(await answerBank(placed, 'success')).toMatchObject({ state: 'completed', paidAmount: 150_000 })
})
