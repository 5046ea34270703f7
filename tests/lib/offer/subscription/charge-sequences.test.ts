import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { inTenant, pool } from '#lib/core/db/db.ts'
import { DAY_MS } from '#lib/core/shared/time.ts'
import { applyOrderPayment } from '#lib/offer/order/apply-payment.ts'
import { cancelByBuyer } from '#lib/offer/subscription/cancel.ts'
import { renewSubscriptions } from '#lib/offer/subscription/renew.ts'
import { chargeDateAfter } from '#lib/offer/subscription/schedule.ts'
import { handleCallback } from '#lib/payment/callback.ts'
import { listPayments } from '#lib/payment/payment.ts'
import { referenceOf } from '#lib/payment/reference.ts'
import { publishedCourse } from '../../../setup/course/groups.ts'
import { createSoldOffer, currentGrants, order, readOrder } from '../../../setup/offer/orders.ts'
import { setPlan } from '../../../setup/parsed/billing.ts'
import {
  LIQPAY_KEYS,
  type LiqpayServer,
  liqpayCallback,
  startLiqpayServer,
} from '../../../setup/payment/liqpay-server.ts'
import { enableProvider } from '../../../setup/payment/purposes.ts'
import { createTestTenant, type TestTenant } from '../../../setup/tenants.ts'

/*
 * Random sequences of the callbacks of a subscription at LiqPay, which charges by its own schedule: charges that succeed or
 * fail, duplicate and at the same time, the passing of time, and the cancellation by the buyer or at LiqPay.
 */
const RUNS = Math.min(Number(process.env.PAYMENT_RUNS ?? 10), 1000)
const PRICE = 49_900
const PURPOSES = { order: applyOrderPayment, plan: async () => {} }

let home: TestTenant
let server: LiqpayServer
let offerId: string
let zone: string

beforeAll(async () => {
  server = await startLiqpayServer()
  home = await createTestTenant()
  // Each sequence has a student of its own.
  await setPlan({ tenantId: home.tenant.id, group: 'lms', plan: 'max', nextPayment: new Date('2099-01-01T00:00:00Z') })
  zone = home.as.OWNER.tenantTimeZone
  await enableProvider(home, 'liqpay', LIQPAY_KEYS)
  const { courseId } = await publishedCourse(home.as.OWNER)
  offerId = await createSoldOffer(home.as.OWNER, courseId, { kind: 'subscription', price: PRICE })
})
beforeEach(() => pool.query('delete from throttle'))
afterAll(async () => {
  await server.stop()
  await pool.end()
})

interface Charge {
  id: number
  status: string
}
type Step = { charges: Charge[] } | { days: number } | { message: string } | { cancel: true }

const charge = fc.record<Charge>({
  id: fc.integer({ min: 1, max: 4 }),
  status: fc.constantFrom('success', 'success', 'failure'),
})
const step = fc.oneof<{ arbitrary: fc.Arbitrary<Step>; weight: number }[]>(
  { weight: 4, arbitrary: fc.record({ charges: fc.array(charge, { minLength: 1, maxLength: 3 }) }) },
  { weight: 2, arbitrary: fc.record({ days: fc.integer({ min: 1, max: 70 }) }) },
  { weight: 1, arbitrary: fc.record({ message: fc.constantFrom('subscribed', 'unsubscribed') }) },
  { weight: 1, arbitrary: fc.record({ cancel: fc.constant(true as const) }) },
)

const BEGUN = { message: 'subscribed' }
const ENDED = { message: 'unsubscribed' }
const PAID = { charges: [{ id: 1, status: 'success' }] }
const PAID_AGAIN = { charges: [{ id: 2, status: 'success' }] }
const ORDERS_OF_MESSAGES: [name: string, steps: Step[]][] = [
  ['after it has begun', [BEGUN, ENDED, PAID, ENDED]],
  ['before it is known to have begun', [ENDED, PAID, BEGUN, PAID_AGAIN]],
  ['after a failed charge', [{ charges: [{ id: 1, status: 'failure' }] }, ENDED, PAID_AGAIN, { days: 40 }]],
]

test.for(ORDERS_OF_MESSAGES)('an end that is reported before the first charge is not undone by it: %s', ([, steps]) =>
  expectSequence(steps),
)

test('each charge gives one period of access, whatever fails in between, and a canceled one ends with the paid period', {
  timeout: 3_600_000,
  // A sequence that fails once is a defect.
  retry: 0,
}, async () => {
  const property = fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 8 }), expectSequence)
  await fc.assert(property, { numRuns: RUNS })
})

/** Compares the access of a new order with what its steps have to give, after each of them. */
async function expectSequence(steps: readonly Step[]): Promise<void> {
  await pool.query('delete from throttle')
  const placed = await order(home, offerId, { shownTotal: PRICE, provider: 'liqpay' })
  const [root] = await inTenant(placed, (tx) => listPayments(tx, 'order', [placed.id]))
  if (!root) throw new Error('the order has no payment')
  const reference = referenceOf(root)
  server.orders.set(reference, { status: 'subscribed', amount: PRICE / 100, currency: 'UAH' })
  const send = (values: Record<string, string | number>) =>
    handleCallback(PURPOSES, {
      provider: 'liqpay',
      account: home.tenant.id,
      body: liqpayCallback({ order_id: reference, amount: PRICE / 100, currency: 'UAH', ...values }),
      headers: new Headers(),
    })
  const charged = new Set<number>()
  let isCanceled = false
  let now = Date.now()
  for (const done of steps) {
    if ('charges' in done) {
      await Promise.all(done.charges.map(({ id, status }) => send({ action: 'regular', payment_id: id, status })))
      for (const { id, status } of done.charges) if (status === 'success') charged.add(id)
    } else if ('days' in done) {
      now += done.days * DAY_MS
      await renewSubscriptions(new Date(now))
    } else if ('message' in done) {
      await send({ action: 'subscribe', payment_id: 90, status: done.message })
      // The provider may report the end before a charge that was under way.
      isCanceled ||= done.message === 'unsubscribed'
    } else {
      await cancelByBuyer(placed.tenantId, placed.publicId)
      isCanceled ||= charged.size > 0
    }
    await expectAccess(placed, { count: charged.size, isCanceled })
  }
}

async function expectAccess(
  { tenantId, publicId }: { tenantId: string; publicId: string },
  { count, isCanceled }: { count: number; isCanceled: boolean },
): Promise<void> {
  const { state, studentId, paidAmount, paidAt, nextDueAt } = await readOrder(tenantId, publicId)
  expect(paidAmount).toBe(count * PRICE)
  if (count === 0) return expect([studentId, state]).toEqual([null, 'awaiting_payment'])
  expect(state === 'canceled').toBe(isCanceled)
  const paidUntil = chargeDateAfter(paidAt ?? new Date(Number.NaN), 'month', count, zone)
  expect(nextDueAt).toEqual(paidUntil)
  const [grant] = await currentGrants(tenantId, studentId ?? '')
  expect(grant?.endsAt).toEqual(new Date(paidUntil.getTime() + (isCanceled ? 0 : 7 * DAY_MS)))
}
