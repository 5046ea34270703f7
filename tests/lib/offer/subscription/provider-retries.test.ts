import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { inTenant, pool } from '#lib/core/db/db.ts'
import { DAY_MS } from '#lib/core/shared/time.ts'
import { applyOrderPayment } from '#lib/offer/order/apply-payment.ts'
import { renewSubscriptions } from '#lib/offer/subscription/renew.ts'
import { handleCallback } from '#lib/payment/callback.ts'
import { listPayments } from '#lib/payment/payment.ts'
import { referenceOf } from '#lib/payment/reference.ts'
import { publishedCourse } from '../../../setup/course/groups.ts'
import { createSoldOffer, currentGrants, order, readOrder } from '../../../setup/offer/orders.ts'
import { LIQPAY_KEYS, liqpayCallback } from '../../../setup/payment/liqpay-server.ts'
import { enableProvider } from '../../../setup/payment/purposes.ts'
import { listEmailsTo } from '../../../setup/servers/sent-emails.ts'
import { createTestTenant, type TestTenant } from '../../../setup/tenants.ts'

/* LiqPay charges by its own schedule and repeats a failed charge three times in 72 hours. */
const PRICE = 49_900
const PURPOSES = { order: applyOrderPayment, plan: async () => {} }

let home: TestTenant
let offerId: string
beforeAll(async () => {
  home = await createTestTenant()
  await enableProvider(home, 'liqpay', LIQPAY_KEYS)
  const { courseId } = await publishedCourse(home.as.OWNER)
  offerId = await createSoldOffer(home.as.OWNER, courseId, { kind: 'subscription', price: PRICE })
})
beforeEach(() => pool.query('delete from throttle'))
afterAll(() => pool.end())

/** A subscription whose first charge has succeeded. */
async function subscribe() {
  const placed = await order(home, offerId, { shownTotal: PRICE, provider: 'liqpay' })
  const payments = () => inTenant(placed, (tx) => listPayments(tx, 'order', [placed.id]))
  const [root] = await payments()
  if (!root) throw new Error('the order has no payment')
  const report = (values: Record<string, string | number>) =>
    handleCallback(PURPOSES, {
      provider: 'liqpay',
      account: home.tenant.id,
      body: liqpayCallback({ order_id: referenceOf(root), amount: PRICE / 100, currency: 'UAH', ...values }),
      headers: new Headers(),
    })
  await report({ action: 'subscribe', status: 'subscribed', payment_id: 1 })
  await report({ action: 'regular', status: 'success', payment_id: 1 })
  const reread = () => readOrder(placed.tenantId, placed.publicId)
  const due = (await reread()).nextDueAt ?? new Date(Number.NaN)
  const on = (days: number) => renewSubscriptions(new Date(due.getTime() + days * DAY_MS))
  const accessEnd = async () => (await currentGrants(placed.tenantId, (await reread()).studentId ?? ''))[0]?.endsAt
  const subjects = async () => (await listEmailsTo(placed.email, placed.tenantId)).map(({ subject }) => subject)
  return { report, reread, payments, due, on, accessEnd, subjects }
}

test('while LiqPay repeats a failed charge the access stays open, and the charge that succeeds continues the schedule', async () => {
  const { report, reread, payments, due, on, accessEnd, subjects } = await subscribe()
  for (const [day, id] of [
    [0, 2],
    [1, 3],
    [2, 4],
  ] as const) {
    await on(day)
    await report({ action: 'regular', status: 'failure', payment_id: id })
    expect((await reread()).state).toBe('overdue')
    expect(await accessEnd()).toEqual(new Date(due.getTime() + 7 * DAY_MS))
  }
  expect((await subjects()).filter((subject) => subject.includes('Не вдалося списати'))).toHaveLength(3)
  await report({ action: 'regular', status: 'success', payment_id: 5 })
  const paid = await reread()
  expect(paid).toMatchObject({ state: 'active', paidAmount: 2 * PRICE })
  expect(await accessEnd()).toEqual(new Date((paid.nextDueAt?.getTime() ?? 0) + 7 * DAY_MS))
  // The product charges no card where the provider keeps the schedule: one payment for each report.
  expect((await payments()).map(({ status }) => status).sort()).toEqual(
    ['subscribed', 'success', 'error', 'error', 'error', 'success'].sort(),
  )
})

test('a charge that LiqPay does not report is late after its retries, and suspends the order after the grace period', async () => {
  const { reread, on, accessEnd, subjects, due } = await subscribe()
  await on(2.9)
  expect((await reread()).state).toBe('active')
  await on(3.1)
  await on(4)
  expect((await reread()).state).toBe('overdue')
  expect((await subjects()).filter((subject) => subject.startsWith('Прострочено платіж'))).toHaveLength(1)
  await on(6.9)
  expect((await reread()).state).toBe('overdue')
  await on(7)
  expect((await reread()).state).toBe('suspended')
  expect(await accessEnd()).toEqual(new Date(due.getTime() + 7 * DAY_MS))
})
