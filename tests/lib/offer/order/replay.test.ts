import { afterAll, beforeAll, expect, test } from 'vitest'
import { inTenant, pool } from '#lib/core/db/db.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { applyOrderPayment } from '#lib/offer/order/apply-payment.ts'
import { getOrder } from '#lib/offer/order/card.ts'
import { replayOrderCallback } from '#lib/offer/order/resend/replay.ts'
import { listPayments } from '#lib/payment/payment.ts'
import { referenceOf } from '#lib/payment/reference.ts'
import { answerSandbox } from '#lib/payment/sandbox-answer.ts'
import { publishedCourse } from '../../../setup/course/groups.ts'
import { createSoldOffer, order, readOrder } from '../../../setup/offer/orders.ts'
import { createOtherTenant, createTestTenant, type TestTenant } from '../../../setup/tenants.ts'

let home: TestTenant
let owner: Actor
let offerId: string
beforeAll(async () => {
  home = await createTestTenant()
  owner = home.as.OWNER
  offerId = await createSoldOffer(owner, (await publishedCourse(owner)).courseId)
})
afterAll(() => pool.end())

const working = { order: applyOrderPayment, plan: async () => {} }
const failing = { order: () => Promise.reject(new Error('the database was full')), plan: async () => {} }

/** An order whose paid callback could not be applied, with the id of the callback. */
async function unappliedOrder() {
  const placed = await order(home, offerId)
  const [payment] = await inTenant(placed, (tx) => listPayments(tx, 'order', [placed.id]))
  if (!payment) throw new Error('the order has no payment')
  await expect(answerSandbox(failing, referenceOf(payment), 'success')).rejects.toThrow('the database was full')
  const reports = await reportsOf(placed.id)
  expect(reports).toMatchObject([{ report: { status: 'success', outcome: 'failed', canReplay: true } }])
  return { orderId: placed.id, callbackId: reports[0]?.id ?? '', placed }
}

const reportsOf = async (orderId: string) =>
  (await getOrder(owner, { orderId })).timeline.filter(({ kind }) => kind === 'payment')

test('a callback that could not be applied is processed again by staff, once', async () => {
  const { placed, ...failed } = await unappliedOrder()
  expect((await readOrder(home.tenant.id, placed.publicId)).state).toBe('awaiting_payment')
  await replayOrderCallback(home.as.DIRECTOR, failed, working)
  expect(await readOrder(home.tenant.id, placed.publicId)).toMatchObject({ state: 'paid', paidAmount: 150_000 })
  await replayOrderCallback(owner, failed, working)
  expect((await readOrder(home.tenant.id, placed.publicId)).paidAmount).toBe(150_000)
  const reports = await reportsOf(placed.id)
  expect(reports.map(({ report }) => [report?.outcome, report?.canReplay])).toEqual([
    ['failed', false],
    ['applied', false],
    ['repeated', false],
  ])
})

test('a failure is returned again, and leaves the order as it was', async () => {
  const { placed, ...failed } = await unappliedOrder()
  await expect(replayOrderCallback(owner, failed, failing)).rejects.toMatchObject({
    code: 'unprocessable',
    details: { fields: { form: ['callback_failed'] } },
  })
  expect((await readOrder(home.tenant.id, placed.publicId)).state).toBe('awaiting_payment')
})

test('experts and other schools process nothing, nor a callback of another order', async () => {
  const { placed, ...failed } = await unappliedOrder()
  const another = await order(home, offerId)
  const stranger = (await createOtherTenant()).as.OWNER
  await expect(replayOrderCallback(home.as.EXPERT, failed, working)).rejects.toMatchObject({ code: 'forbidden' })
  await expect(replayOrderCallback(stranger, failed, working)).rejects.toMatchObject({ code: 'not_found' })
  const elsewhere = replayOrderCallback(owner, { ...failed, orderId: another.id }, working)
  await expect(elsewhere).rejects.toMatchObject({ code: 'not_found' })
  expect((await readOrder(home.tenant.id, placed.publicId)).state).toBe('awaiting_payment')
})
