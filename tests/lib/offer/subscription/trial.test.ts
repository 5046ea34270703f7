import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { inTenant, pool } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { DAY_MS } from '#lib/core/shared/time.ts'
import { readCheckout } from '#lib/offer/checkout/read-checkout.ts'
import { payAgain, readOrderPage } from '#lib/offer/checkout/read-order.ts'
import { saveCoupon } from '#lib/offer/coupon/coupon.ts'
import { SaveCoupon } from '#lib/offer/coupon/schema.ts'
import { OfferSettings } from '#lib/offer/schema.ts'
import { cancelByBuyer, endUnneededSubscriptions } from '#lib/offer/subscription/cancel.ts'
import { renewSubscriptions } from '#lib/offer/subscription/renew.ts'
import { chargeDateAfter } from '#lib/offer/subscription/schedule.ts'
import { listPayments } from '#lib/payment/payment.ts'
import { publishedCourse } from '../../../setup/course/groups.ts'
import { answerBank, createSoldOffer, currentGrants, newBuyer, order, readOrder } from '../../../setup/offer/orders.ts'
import { listEmailsTo } from '../../../setup/servers/sent-emails.ts'
import { createOtherTenant, createTestTenant, type TestTenant } from '../../../setup/tenants.ts'

let home: TestTenant
let other: TestTenant
let owner: Actor
let courseId: string
let offerId: string
beforeAll(async () => {
  home = await createTestTenant()
  other = await createOtherTenant()
  owner = home.as.OWNER
  courseId = (await publishedCourse(owner)).courseId
})
beforeEach(async () => {
  await pool.query('delete from throttle')
  offerId = await createSoldOffer(owner, courseId, TRIAL)
})
afterEach(() => vi.restoreAllMocks())
afterAll(() => pool.end())

const PRICE = 49_900
const DAYS = 14
const TRIAL = { kind: 'subscription', price: PRICE, trialDays: DAYS } as const
const SHOWN = { shownTotal: PRICE, shownTrial: true, provider: undefined } as const
type Placed = Awaited<ReturnType<typeof readOrder>>

const startTrial = (change: object = {}): Promise<Placed> => order(home, offerId, { ...SHOWN, ...change })
const reread = ({ tenantId, publicId }: Placed) => readOrder(tenantId, publicId)
const endOf = ({ nextDueAt }: Placed): Date => nextDueAt ?? new Date(Number.NaN)
const after = (at: Date, days: number) => new Date(at.getTime() + days * DAY_MS)
const accessEnd = async ({ tenantId, studentId }: Placed) => (await currentGrants(tenantId, studentId ?? ''))[0]?.endsAt
const subjects = async ({ email, tenantId }: Placed) =>
  (await listEmailsTo(email, tenantId)).map(({ subject }) => subject).join('\n')
const paymentsOf = (placed: Placed) => inTenant(placed, (tx) => listPayments(tx, 'order', [placed.id]))
const startPayment = ({ tenantId, publicId }: Placed) =>
  payAgain({ tenantId, address: '10.8.0.3' }, { publicId, provider: 'sandbox' })

async function pay(placed: Placed): Promise<Placed> {
  await startPayment(placed)
  return answerBank(placed, 'success')
}

test('a trial opens the access at once, without a payment, until its last day', async () => {
  const { total } = await readCheckout(home.tenant.id, { offerId, coupon: '' })
  expect(total).toMatchObject({ dueNow: 0, total: PRICE, trialDays: DAYS })
  const begun = await startTrial()
  expect(begun).toMatchObject({ state: 'active', paidAmount: 0, amount: PRICE })
  expect(endOf(begun)).toEqual(after(begun.createdAt, DAYS))
  expect(await accessEnd(begun)).toEqual(endOf(begun))
  expect(await paymentsOf(begun)).toEqual([])
  expect(await subjects(begun)).toContain('Пробний період почався')
})

test('the first payment begins the subscription on its day, and the card is charged from then on', async () => {
  const begun = await startTrial()
  const page = await readOrderPage(begun.tenantId, begun.publicId)
  expect(page).toMatchObject({ isTrial: true, nextAmount: PRICE })
  expect(page.methods.map(({ provider }) => provider)).toEqual(['sandbox'])
  const paid = await pay(begun)
  expect(paid).toMatchObject({ state: 'active', paidAmount: PRICE })
  const paidAt = new Date(paid.schedule[1]?.paidAt ?? Number.NaN)
  expect(endOf(paid)).toEqual(chargeDateAfter(paidAt, 'month', 1, owner.tenantTimeZone))
  expect(await accessEnd(paid)).toEqual(after(endOf(paid), 7))
  expect(await readOrderPage(paid.tenantId, paid.publicId)).toMatchObject({ isTrial: false, methods: [] })
  await renewSubscriptions(endOf(paid))
  const renewed = await reread(paid)
  expect(renewed).toMatchObject({ state: 'active', paidAmount: 2 * PRICE })
  expect(endOf(renewed)).toEqual(chargeDateAfter(paidAt, 'month', 2, owner.tenantTimeZone))
})

test('a trial that is not paid ends after a reminder two days before, and nothing is charged', async () => {
  const begun = await startTrial()
  const end = endOf(begun)
  await renewSubscriptions(after(end, -3))
  expect(await subjects(begun)).not.toContain('Незабаром завершиться')
  for (const day of [-2, -1]) await renewSubscriptions(after(end, day))
  expect((await subjects(begun)).match(/Незабаром завершиться пробний період/g)).toHaveLength(1)
  expect((await reread(begun)).state).toBe('active')
  for (const day of [0, 1]) await renewSubscriptions(after(end, day))
  expect(await reread(begun)).toMatchObject({ state: 'canceled', paidAmount: 0 })
  expect((await subjects(begun)).match(/Пробний період завершився/g)).toHaveLength(1)
  expect(await accessEnd(begun)).toEqual(end)
  expect(await paymentsOf(begun)).toEqual([])
  await expect(startPayment(begun)).rejects.toMatchObject({ details: { fields: { form: ['order_closed'] } } })
})

test('a trial of one day is not announced before half of it has passed', async () => {
  offerId = await createSoldOffer(owner, courseId, { ...TRIAL, trialDays: 1 })
  const begun = await startTrial()
  await renewSubscriptions(after(begun.createdAt, 0.4))
  expect(await subjects(begun)).not.toContain('Незабаром завершиться')
  await renewSubscriptions(after(begun.createdAt, 0.6))
  expect(await subjects(begun)).toContain('Незабаром завершиться')
})

test('a person gets the trial of an offer once, and another person or offer is independent of it', async () => {
  const { email } = await startTrial()
  const asSent = { email, name: 'Інше Ім’я' }
  await expect(startTrial(asSent)).rejects.toMatchObject({
    code: 'conflict',
    details: { fields: { form: ['order_trial_used'] } },
  })
  expect((await readCheckout(home.tenant.id, { offerId, coupon: '', email })).total).toMatchObject({
    dueNow: PRICE,
    trialDays: 0,
  })
  const paid = await answerBank(await order(home, offerId, { ...asSent, shownTotal: PRICE }), 'success')
  expect(paid).toMatchObject({ state: 'active', paidAmount: PRICE })
  expect((await startTrial()).state).toBe('active')
  const secondId = await createSoldOffer(owner, courseId, TRIAL)
  expect((await order(home, secondId, { ...SHOWN, email })).state).toBe('active')
})

test('a student who has changed the email address does not get the trial again', async () => {
  const { studentId } = await startTrial()
  const view = await readCheckout(home.tenant.id, { offerId, coupon: '', email: newBuyer(), studentId })
  expect(view.total.trialDays).toBe(0)
})

test('a canceled trial lasts until its end and is used', async () => {
  const begun = await startTrial()
  await cancelByBuyer(begun.tenantId, begun.publicId)
  expect((await reread(begun)).state).toBe('canceled')
  expect(await accessEnd(begun)).toEqual(endOf(begun))
  await expect(startTrial({ email: begun.email })).rejects.toMatchObject({ code: 'conflict' })
})

test('a form that is posted twice begins one trial', async () => {
  const email = newBuyer()
  const [first, second] = await Promise.all([startTrial({ email }), startTrial({ email })])
  expect(first.id).toBe(second.id)
  expect((await startTrial({ email })).id).toBe(first.id)
})

test('an order whose page has not shown the trial, or has shown one that there is not, is refused', async () => {
  const changed = { code: 'conflict', details: { fields: { form: ['order_price_changed'] } } }
  await expect(startTrial({ shownTrial: false, provider: 'sandbox' })).rejects.toMatchObject(changed)
  offerId = await createSoldOffer(owner, courseId, { ...TRIAL, trialDays: 0 })
  await expect(startTrial()).rejects.toMatchObject(changed)
})

test('a trial cannot be given to another person', async () => {
  await expect(startTrial({ gift: { name: 'Марія Гай', email: newBuyer() } })).rejects.toMatchObject({
    code: 'invalid',
    details: { fields: { form: ['order_trial_gift'] } },
  })
})

test('a coupon for the whole price gives the access without a trial', async () => {
  const code = `T${newId().slice(-10)}`
  await saveCoupon(owner, SaveCoupon.parse({ couponId: newId(), code, type: 'percent', value: 100 }))
  const free = await order(home, offerId, { shownTotal: 0, coupon: code, provider: undefined })
  expect(free).toMatchObject({ state: 'paid', schedule: [], nextDueAt: null })
})

test('while the bank decides about the first payment the trial is not closed', async () => {
  const begun = await startTrial()
  await startPayment(begun)
  await answerBank(begun, 'pending')
  await renewSubscriptions(after(endOf(begun), 1))
  expect((await reread(begun)).state).toBe('active')
  expect(await answerBank(begun, 'success')).toMatchObject({ state: 'active', paidAmount: PRICE })
})

test('money that arrives after the end of a trial begins the subscription', async () => {
  const begun = await startTrial()
  await startPayment(begun)
  await renewSubscriptions(endOf(begun))
  expect((await reread(begun)).state).toBe('canceled')
  const paid = await answerBank(begun, 'success')
  await endUnneededSubscriptions({ tenantId: paid.tenantId, orderId: paid.id })
  expect(await reread(paid)).toMatchObject({ state: 'active', paidAmount: PRICE })
  expect((await paymentsOf(paid)).map(({ status }) => status)).toEqual(['subscribed', 'success'])
  expect(await accessEnd(paid)).toEqual(after(endOf(paid), 7))
})

test('the page of another school does not pay an order', async () => {
  const begun = await startTrial()
  await expect(startPayment({ ...begun, tenantId: other.tenant.id })).rejects.toMatchObject({ code: 'not_found' })
  await expect(readOrderPage(other.tenant.id, begun.publicId)).rejects.toMatchObject({ code: 'not_found' })
})

test('the editor accepts from no day to ninety', () => {
  const parse = (trialDays: unknown) => OfferSettings.safeParse({ ...TRIAL, name: 'Пробний', trialDays }).success
  expect([0, 1, 90, -1, 91, 1.5, '7'].map(parse)).toEqual([true, true, true, false, false, false, false])
})
