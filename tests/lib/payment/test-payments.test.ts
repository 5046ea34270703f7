import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { inTenant, pool } from '#lib/core/db/db.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { readOrderPage } from '#lib/offer/checkout/read-order.ts'
import { changeOfferState, copyOffer } from '#lib/offer/offer.ts'
import { listPayments } from '#lib/payment/payment.ts'
import { referenceOf } from '#lib/payment/reference.ts'
import { answerSandbox } from '#lib/payment/sandbox-answer.ts'
import { chargeSubscription } from '#lib/payment/subscription.ts'
import { paymentPurposes } from '#lib/payments.ts'
import { publishedCourse } from '../../setup/course/groups.ts'
import { createSoldOffer, order, readOrder } from '../../setup/offer/orders.ts'
import { addPayment, enableProvider, recordPurposes } from '../../setup/payment/purposes.ts'
import { createOtherTenant, createTestTenant, type TestTenant } from '../../setup/tenants.ts'

const installation = vi.hoisted(() => ({ isLocal: true }))
vi.mock('#lib/core/config/config.ts', async (original) => {
  const loaded = await original<typeof import('#lib/core/config/config.ts')>()
  const config = Object.create(loaded.config, { isLocal: { get: () => installation.isLocal } })
  return { ...loaded, config }
})

let home: TestTenant
let other: TestTenant
let owner: Actor
let offerId: string
beforeAll(async () => {
  home = await createTestTenant()
  other = await createOtherTenant()
  owner = home.as.OWNER
  offerId = await createSoldOffer(owner, (await publishedCourse(owner)).courseId)
  installation.isLocal = false
})
afterAll(() => pool.end())

const referenceOfPayment = async (placed: { tenantId: string; id: string }) => {
  const [payment] = await inTenant(placed, (tx) => listPayments(tx, 'order', [placed.id]))
  return payment ? referenceOf(payment) : ''
}
const NOT_OFFERED = { details: { fields: { provider: ['payment_provider'] } } }

test('strangers, students and staff of another school cannot buy by a test payment', async () => {
  for (const actor of [null, home.as.STUDENT, home.as.CURATOR, other.as.OWNER])
    await expect(order(home, offerId, {}, { actor })).rejects.toMatchObject(NOT_OFFERED)
  await enableProvider(home, 'liqpay', { publicKey: 'sandbox_i0', privateKey: 'sandbox_p' }, true)
  await expect(order(home, offerId, { provider: 'liqpay' })).rejects.toMatchObject(NOT_OFFERED)
})

test('staff make a test purchase, whose payment nobody else answers', async () => {
  const placed = await order(home, offerId, {}, { actor: owner })
  const reference = await referenceOfPayment(placed)
  for (const visitor of [null, home.as.STUDENT, other.as.OWNER])
    await expect(answerSandbox(paymentPurposes, reference, 'success', visitor)).rejects.toMatchObject({
      code: 'not_found',
    })
  expect((await readOrderPage(home.tenant.id, placed.publicId)).methods).toEqual([])
  await answerSandbox(paymentPurposes, reference, 'success', owner)
  expect(await readOrder(home.tenant.id, placed.publicId)).toMatchObject({ state: 'paid', isTest: true })
})

test('a paid offer is not put on sale without a provider, and staff can try its draft', async () => {
  const { offerId: draft } = await copyOffer(owner, { offerId, newOfferId: crypto.randomUUID(), name: 'Чернетка' })
  await expect(changeOfferState(owner, { offerId: draft, action: 'activate' })).rejects.toMatchObject({
    details: { fields: { form: ['offer_needs_provider'] } },
  })
  await expect(order(home, draft)).rejects.toMatchObject({ code: 'not_found' })
  const placed = await order(home, draft, {}, { actor: owner })
  expect(placed).toMatchObject({ state: 'awaiting_payment', isTest: true })
  const period = { unit: 'month', count: 1 } as const
  const subscription = await addPayment(home, { period, mayTest: true })
  await answerSandbox(recordPurposes().purposes, referenceOf(subscription), 'success', owner)
  await enableProvider(home, 'monobank', { token: 'uTestToken-0123456789abcdef' })
  // Nothing is charged by a test card in a school that receives money.
  const charge = { tenantId: home.tenant.id, paymentId: subscription.id, amount: 100, onceKey: 'next' }
  await expect(chargeSubscription(async () => {}, charge)).rejects.toMatchObject({ code: 'not_found' })
  await changeOfferState(owner, { offerId: draft, action: 'activate' })
  await expect(order(home, draft, {}, { actor: owner })).rejects.toMatchObject(NOT_OFFERED)
})
