import { eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { inTenant, pool } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import { log } from '#lib/core/log.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { formatDate } from '#lib/core/shared/locale.ts'
import { DAY_MS } from '#lib/core/shared/time.ts'
import { payAgain } from '#lib/offer/checkout/read-order.ts'
import { saveCoupon } from '#lib/offer/coupon/coupon.ts'
import { SaveCoupon } from '#lib/offer/coupon/schema.ts'
import { applyOrderPayment } from '#lib/offer/order/apply-payment.ts'
import { followUpOrders } from '#lib/offer/order/due-orders.ts'
import { refundOrder } from '#lib/offer/order/refund.ts'
import { salesOrder } from '#lib/offer/order/table.ts'
import { cancelByBuyer, cancelByStaff, endUnneededSubscriptions } from '#lib/offer/subscription/cancel.ts'
import { renewSubscriptions } from '#lib/offer/subscription/renew.ts'
import { listPayments } from '#lib/payment/payment.ts'
import { sandbox } from '#lib/payment/providers/sandbox.ts'
import { referenceOf } from '#lib/payment/reference.ts'
import { answerSandbox } from '#lib/payment/sandbox-answer.ts'
import { publishedCourse } from '../../../setup/course/groups.ts'
import {
  answerBank,
  createSoldOffer,
  currentGrants,
  order,
  readOrder,
  sendPaymentConfirmations,
} from '../../../setup/offer/orders.ts'
import { listEmailsTo } from '../../../setup/servers/sent-emails.ts'
import { createOtherTenant, createTestTenant, type TestTenant } from '../../../setup/tenants.ts'

let home: TestTenant
let other: TestTenant
let owner: Actor
let courseId: string
beforeAll(async () => {
  home = await createTestTenant()
  other = await createOtherTenant()
  owner = home.as.OWNER
})
beforeEach(async () => {
  await pool.query('delete from throttle')
  courseId = (await publishedCourse(owner)).courseId
})
afterEach(() => vi.restoreAllMocks())
afterAll(() => pool.end())

const PRICE = 49_900
type Placed = Awaited<ReturnType<typeof readOrder>>

async function subscribe(change: object = {}): Promise<Placed> {
  const offerId = await createSoldOffer(owner, courseId, { kind: 'subscription', price: PRICE, ...change })
  const placed = await order(home, offerId, { shownTotal: PRICE })
  return answerBank(placed, 'success')
}
const reread = ({ tenantId, publicId }: Placed) => readOrder(tenantId, publicId)
const dueOf = ({ nextDueAt }: Placed): Date => nextDueAt ?? new Date(Number.NaN)
const after = (at: Date, days: number) => new Date(at.getTime() + days * DAY_MS)
const accessEnd = async ({ tenantId, studentId }: Placed) => (await currentGrants(tenantId, studentId ?? ''))[0]?.endsAt
const subjects = async ({ email, tenantId }: Placed) =>
  (await listEmailsTo(email, tenantId)).map(({ subject }) => subject).join('\n')
const paymentsOf = (placed: Placed) => inTenant(placed, (tx) => listPayments(tx, 'order', [placed.id]))
const isEndPlanned = async ({ id }: Placed) => {
  const { rowCount } = await pool.query(
    "select 1 from pgboss.job where name = 'offer.endUnneededSubscriptions' and data ->> 'orderId' = $1",
    [id],
  )
  return (rowCount ?? 0) > 0
}
const declineCharges = () => vi.spyOn(sandbox, 'chargeCard').mockResolvedValue({ status: 'error', failure: 'no money' })

test('the first payment opens the access for the paid period and the grace period', async () => {
  const bought = await subscribe()
  expect(bought).toMatchObject({ state: 'active', paidAmount: PRICE, amount: PRICE })
  expect(bought.schedule.map(({ paidAt }) => paidAt !== null)).toEqual([true, false])
  expect((dueOf(bought).getTime() - Date.now()) / DAY_MS).toBeGreaterThan(27.9)
  expect(await accessEnd(bought)).toEqual(after(dueOf(bought), 7))
  expect((await paymentsOf(bought)).map(({ status }) => status)).toEqual(['subscribed', 'success'])
})

test('the card is charged once when the next payment is due, with an email three days before and one after it', async () => {
  const bought = await subscribe()
  const due = dueOf(bought)
  await renewSubscriptions(after(due, -4))
  expect(await subjects(bought)).not.toContain('Незабаром списання')
  await renewSubscriptions(after(due, -2))
  expect(await subjects(bought)).toContain('Незабаром списання')
  expect((await reread(bought)).paidAmount).toBe(PRICE)
  await Promise.all([renewSubscriptions(due), renewSubscriptions(due)])
  await renewSubscriptions(due)
  const renewed = await reread(bought)
  expect(renewed).toMatchObject({ state: 'active', paidAmount: 2 * PRICE })
  expect(dueOf(renewed) > due).toBe(true)
  await sendPaymentConfirmations(renewed)
  const received = (await listEmailsTo(bought.email, bought.tenantId)).filter(({ subject }) =>
    subject.startsWith('Тестова покупка'),
  )
  const nextDate = formatDate(dueOf(renewed), owner.tenantTimeZone, 'uk')
  // One for the purchase, and one for the charge.
  expect(received).toHaveLength(2)
  expect(received.filter(({ text }) => text.includes(nextDate))).toHaveLength(1)
  expect(await accessEnd(renewed)).toEqual(after(dueOf(renewed), 7))
  await followUpOrders(due)
  expect((await reread(bought)).state).toBe('active')
})

test('a failed charge is repeated daily for three days and leaves the access open, which ends with the grace period', async () => {
  const bought = await subscribe()
  const due = dueOf(bought)
  const open = await accessEnd(bought)
  const charge = declineCharges()
  for (const day of [0, 0.5, 1, 2, 3, 4, 5]) {
    await renewSubscriptions(after(due, day))
    expect((await reread(bought)).state).toBe('overdue')
    expect(await accessEnd(bought)).toEqual(open)
  }
  expect(charge).toHaveBeenCalledTimes(4)
  expect(await subjects(bought)).toContain('Не вдалося списати')
  await renewSubscriptions(after(due, 7))
  expect((await reread(bought)).state).toBe('suspended')
  expect(await accessEnd(bought)).toEqual(after(due, 7))
})

test('a repeated charge that succeeds continues the schedule', async () => {
  const bought = await subscribe()
  const due = dueOf(bought)
  const charge = declineCharges()
  await renewSubscriptions(due)
  charge.mockRestore()
  await renewSubscriptions(after(due, 1))
  expect(await reread(bought)).toMatchObject({ state: 'active', paidAmount: 2 * PRICE })
})

test('while the bank has not decided about a charge, the card is not charged again', async () => {
  const bought = await subscribe()
  const charge = vi.spyOn(sandbox, 'chargeCard').mockResolvedValue({ status: 'pending' })
  for (const day of [0, 1, 2]) await renewSubscriptions(after(dueOf(bought), day))
  expect(charge).toHaveBeenCalledTimes(1)
})

test('an order that fails does not stop the charges of the others', async () => {
  const broken = await subscribe()
  const bought = await subscribe()
  const { tenantId } = bought
  // The first in the order of the dates.
  await inTenant(broken, (tx) =>
    tx
      .update(salesOrder)
      .set({ snapshot: { settings: { kind: 'subscription' } }, nextDueAt: after(dueOf(bought), -1) })
      .where(eq(salesOrder.id, broken.id)),
  )
  const error = vi.spyOn(log, 'error').mockReturnValue()
  try {
    await renewSubscriptions(dueOf(bought))
  } finally {
    await inTenant({ tenantId }, (tx) =>
      tx.update(salesOrder).set({ snapshot: broken.snapshot }).where(eq(salesOrder.id, broken.id)),
    )
  }
  expect(await reread(bought)).toMatchObject({ state: 'active', paidAmount: 2 * PRICE })
  expect((await reread(broken)).paidAmount).toBe(PRICE)
  expect(error).toHaveBeenCalledWith(
    expect.objectContaining({ orderId: broken.id }),
    'A subscription could not be renewed',
  )
})

test('another card pays a late subscription and is charged from then on instead of the first one', async () => {
  const bought = await subscribe()
  await expect(
    payAgain({ tenantId: bought.tenantId, address: '10.8.0.2' }, { publicId: bought.publicId, provider: 'sandbox' }),
  ).rejects.toMatchObject({
    code: 'unprocessable',
  })
  const charge = declineCharges()
  await renewSubscriptions(dueOf(bought))
  charge.mockRestore()
  await payAgain({ tenantId: bought.tenantId, address: '10.8.0.2' }, { publicId: bought.publicId, provider: 'sandbox' })
  const started = (await paymentsOf(bought)).find(({ status }) => status === 'new')
  const purposes = { order: applyOrderPayment, plan: async () => {} }
  expect(await isEndPlanned(bought)).toBe(false)
  await answerSandbox(purposes, started ? referenceOf(started) : '', 'success')
  expect(await isEndPlanned(bought)).toBe(true)
  await endUnneededSubscriptions({ tenantId: bought.tenantId, orderId: bought.id })
  expect(await reread(bought)).toMatchObject({ state: 'active', paidAmount: 2 * PRICE })
  const roots = (await paymentsOf(bought)).filter(({ kind, parentId }) => kind === 'recurrent' && parentId === null)
  expect(roots.map(({ status }) => status)).toEqual(['canceled', 'subscribed'])
})

test('a canceled subscription is charged no more and keeps the access until the end of the paid period', async () => {
  const bought = await subscribe()
  const due = dueOf(bought)
  const { tenantId, publicId } = bought
  await expect(cancelByBuyer(other.tenant.id, publicId)).rejects.toMatchObject({ code: 'not_found' })
  await Promise.all([cancelByBuyer(tenantId, publicId), cancelByBuyer(tenantId, publicId)])
  await cancelByBuyer(tenantId, publicId)
  expect((await reread(bought)).state).toBe('canceled')
  expect(await accessEnd(bought)).toEqual(due)
  expect((await subjects(bought)).match(/Підписку скасовано/g)).toHaveLength(1)
  await renewSubscriptions(due)
  expect((await reread(bought)).paidAmount).toBe(PRICE)
})

test('a coupon reduces every charge, and one for the whole price needs no card', async () => {
  const coupon = async (value: number) => {
    const parsed = SaveCoupon.parse({ couponId: newId(), code: `S${newId().slice(-10)}`, type: 'percent', value })
    await saveCoupon(owner, parsed)
    return parsed.code
  }
  const offerId = await createSoldOffer(owner, courseId, { kind: 'subscription', price: PRICE })
  const half = await answerBank(
    await order(home, offerId, { shownTotal: PRICE / 2, coupon: await coupon(50) }),
    'success',
  )
  await renewSubscriptions(dueOf(half))
  expect(await reread(half)).toMatchObject({ state: 'active', paidAmount: PRICE })
  const free = await order(home, offerId, { shownTotal: 0, provider: undefined, coupon: await coupon(100) })
  expect(free).toMatchObject({ state: 'paid', schedule: [], nextDueAt: null })
  expect(await accessEnd(free)).toBeNull()
  expect(await paymentsOf(free)).toEqual([])
})

test('a provider that cannot charge a card again is not accepted for a subscription', async () => {
  const offerId = await createSoldOffer(owner, courseId, { kind: 'subscription', price: PRICE })
  await expect(order(home, offerId, { shownTotal: PRICE, provider: 'bank' })).rejects.toMatchObject({
    details: { fields: { provider: ['payment_provider'] } },
  })
})

test('owner and director cancel; an expert and another school are refused', async () => {
  const bought = await subscribe()
  const input = { orderId: bought.id }
  await expect(cancelByStaff(home.as.EXPERT, input)).rejects.toMatchObject({ code: 'forbidden' })
  await expect(cancelByStaff(other.as.OWNER, input)).rejects.toMatchObject({ code: 'not_found' })
  await cancelByStaff(home.as.DIRECTOR, input)
  expect((await reread(bought)).state).toBe('canceled')
})

test('a subscription whose money was returned is charged no more', async () => {
  const bought = await subscribe()
  await refundOrder(owner, { orderId: bought.id, amount: PRICE, reason: 'На прохання', access: 'endNow' })
  expect(await isEndPlanned(bought)).toBe(true)
  await endUnneededSubscriptions({ tenantId: bought.tenantId, orderId: bought.id })
  expect((await reread(bought)).state).toBe('refunded')
  expect((await paymentsOf(bought)).some(({ status }) => status === 'subscribed')).toBe(false)
})

test('the end of a subscription leaves the access of another order', async () => {
  const bought = await subscribe()
  const onceId = await createSoldOffer(owner, courseId)
  await answerBank(await order(home, onceId, { email: bought.email }), 'success')
  await cancelByBuyer(bought.tenantId, bought.publicId)
  const grants = await currentGrants(bought.tenantId, bought.studentId ?? '')
  expect(grants.map(({ endsAt }) => endsAt)).toContain(null)
  expect(grants).toHaveLength(2)
})
