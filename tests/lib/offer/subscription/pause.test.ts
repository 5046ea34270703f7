import { eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { inTenant, pool } from '#lib/core/db/db.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { Role } from '#lib/core/shared/role.ts'
import { DAY_MS } from '#lib/core/shared/time.ts'
import { payAgain, readOrderPage } from '#lib/offer/checkout/read-order.ts'
import { applyOrderPayment } from '#lib/offer/order/apply-payment.ts'
import { orderCardSection } from '#lib/offer/order/student-card.ts'
import { salesOrder } from '#lib/offer/order/table.ts'
import { listOfferOptions } from '#lib/offer/references.ts'
import { cancelByBuyer, endSubscriptionAtProvider, endUnneededSubscriptions } from '#lib/offer/subscription/cancel.ts'
import { pauseByBuyer, pauseByStaff, resumeByBuyer, resumeByStaff } from '#lib/offer/subscription/pause.ts'
import { renewSubscriptions } from '#lib/offer/subscription/renew.ts'
import { chargeDateAfter } from '#lib/offer/subscription/schedule.ts'
import { handleCallback } from '#lib/payment/callback.ts'
import { listPayments } from '#lib/payment/payment.ts'
import { sandbox } from '#lib/payment/providers/sandbox.ts'
import { referenceOf } from '#lib/payment/reference.ts'
import { answerSandbox } from '#lib/payment/sandbox-answer.ts'
import { startPayment } from '#lib/payment/start.ts'
import { membership } from '#lib/user/table.ts'
import { publishedCourse } from '../../../setup/course/groups.ts'
import {
  answerBank,
  countAsMoney,
  createSoldOffer,
  currentGrants,
  newBuyer,
  order,
  readOrder,
} from '../../../setup/offer/orders.ts'
import {
  LIQPAY_KEYS,
  type LiqpayServer,
  liqpayCallback,
  startLiqpayServer,
} from '../../../setup/payment/liqpay-server.ts'
import { enableProvider } from '../../../setup/payment/purposes.ts'
import { listEmailsTo } from '../../../setup/servers/sent-emails.ts'
import { createOtherTenant, createTestTenant, type TestTenant } from '../../../setup/tenants.ts'

let home: TestTenant
let other: TestTenant
let owner: Actor
let courseId: string
let offerId: string
let server: LiqpayServer
beforeAll(async () => {
  server = await startLiqpayServer()
  home = await createTestTenant()
  other = await createOtherTenant()
  owner = home.as.OWNER
  courseId = (await publishedCourse(owner)).courseId
  offerId = await createSoldOffer(owner, courseId, { kind: 'subscription', price: PRICE })
})
beforeEach(() => pool.query('delete from throttle'))
afterEach(() => vi.restoreAllMocks())
afterAll(async () => {
  await server.stop()
  await pool.end()
})

const PRICE = 49_900
const PURPOSES = { order: applyOrderPayment, plan: async () => {} }
type Placed = Awaited<ReturnType<typeof readOrder>>

const subscribe = async (change: object = {}): Promise<Placed> =>
  answerBank(await order(home, offerId, { shownTotal: PRICE, ...change }), 'success')
const reread = ({ tenantId, publicId }: Placed) => readOrder(tenantId, publicId)
const dueOf = ({ nextDueAt }: Placed): Date => nextDueAt ?? new Date(Number.NaN)
const after = (at: Date, days: number) => new Date(at.getTime() + days * DAY_MS)
const accessEnd = async ({ tenantId, studentId }: Placed) => (await currentGrants(tenantId, studentId ?? ''))[0]?.endsAt
const paymentsOf = (placed: Pick<Placed, 'tenantId' | 'id'>) =>
  inTenant(placed, (tx) => listPayments(tx, 'order', [placed.id]))
const statuses = async (placed: Placed) => (await paymentsOf(placed)).map(({ status }) => status)
const pause = ({ tenantId, publicId }: Placed, now?: Date) => pauseByBuyer(tenantId, publicId, now)
const resume = ({ tenantId, publicId }: Placed, now?: Date) => resumeByBuyer(tenantId, publicId, now)
const refused = (reason: string) => ({ code: 'unprocessable', details: { fields: { form: [reason] } } })
/** As if the paid period had ended two days ago: inside what is the grace period of a subscription that is not paused. */
const endPaidPeriod = (placed: Placed) =>
  inTenant(placed, (tx) =>
    tx
      .update(salesOrder)
      .set({ nextDueAt: after(new Date(), -2) })
      .where(eq(salesOrder.id, placed.id)),
  )
const plannedJobs = async (name: string, { tenantId }: Placed) => {
  const { rows } = await pool.query<{ data: { tenantId: string; paymentId: string } }>(
    "select data from pgboss.job where name = $1 and data ->> 'tenantId' = $2",
    [name, tenantId],
  )
  return rows.map(({ data }) => data)
}

test('a paused subscription is not charged, and the access lasts until the end of the paid period', async () => {
  const bought = await subscribe()
  const due = dueOf(bought)
  await Promise.all([pause(bought), pause(bought)])
  expect((await reread(bought)).state).toBe('paused')
  expect(await accessEnd(bought)).toEqual(due)
  const emails = (await listEmailsTo(bought.email, bought.tenantId)).map(({ subject }) => subject).join('\n')
  expect(emails.match(/Підписку призупинено/g)).toHaveLength(1)
  for (const day of [-2, 0, 3, 40]) await renewSubscriptions(after(due, day))
  expect(await reread(bought)).toMatchObject({ state: 'paused', paidAmount: PRICE })
})

test('resumed within the paid period, the subscription continues by its schedule', async () => {
  const bought = await subscribe()
  const due = dueOf(bought)
  await pause(bought)
  await Promise.all([resume(bought), resume(bought)])
  const resumed = await reread(bought)
  expect(resumed).toMatchObject({ state: 'active', paidAmount: PRICE, nextDueAt: due })
  expect(await accessEnd(resumed)).toEqual(after(due, 7))
  await renewSubscriptions(due)
  const renewed = await reread(bought)
  expect(renewed.paidAmount).toBe(2 * PRICE)
  expect(dueOf(renewed)).toEqual(chargeDateAfter(bought.paidAt ?? due, 'month', 2, owner.tenantTimeZone))
})

test('resumed after the paid period, the saved card is charged once and a new period begins', async () => {
  const bought = await subscribe()
  await pause(bought)
  await endPaidPeriod(bought)
  expect(await readOrderPage(bought.tenantId, bought.publicId)).toMatchObject({ resumeMode: 'charge' })
  await Promise.all([resume(bought), resume(bought)])
  await renewSubscriptions()
  const resumed = await reread(bought)
  expect(resumed).toMatchObject({ state: 'active', paidAmount: 2 * PRICE })
  const paidAt = new Date(resumed.schedule[1]?.paidAt ?? Number.NaN)
  expect(dueOf(resumed)).toEqual(chargeDateAfter(paidAt, 'month', 1, owner.tenantTimeZone))
  expect(await accessEnd(resumed)).toEqual(after(dueOf(resumed), 7))
})

test('a card that is refused at the resumption leaves the access closed until it is paid', async () => {
  const bought = await subscribe()
  const due = dueOf(bought)
  await pause(bought)
  vi.spyOn(sandbox, 'chargeCard').mockResolvedValue({ status: 'error', failure: 'no money' })
  await resume(bought, after(due, 20))
  expect((await reread(bought)).state).toBe('overdue')
  expect(await accessEnd(bought)).toEqual(due)
})

test('only an active subscription that is paid ahead is paused', async () => {
  const bought = await subscribe()
  await expect(pause(bought, dueOf(bought))).rejects.toMatchObject(refused('order_not_pausable'))
  const onceId = await createSoldOffer(owner, courseId)
  const once = await answerBank(await order(home, onceId), 'success')
  await expect(pause(once)).rejects.toMatchObject(refused('order_not_pausable'))
  const trialId = await createSoldOffer(owner, courseId, { kind: 'subscription', price: PRICE, trialDays: 7 })
  const trial = await order(home, trialId, { shownTotal: PRICE, shownTrial: true })
  await expect(pause(trial)).rejects.toMatchObject(refused('order_not_pausable'))
  await resume(bought)
  expect((await reread(bought)).state).toBe('active')
})

test('a paused subscription can be canceled', async () => {
  const bought = await subscribe()
  await pause(bought)
  await cancelByBuyer(bought.tenantId, bought.publicId)
  expect((await reread(bought)).state).toBe('canceled')
  expect(await statuses(bought)).toEqual(['canceled', 'success'])
  await resume(bought)
  expect((await reread(bought)).state).toBe('canceled')
})

test('staff pause and resume within the paid period, and never charge a card', async () => {
  const bought = await subscribe()
  const input = { orderId: bought.id }
  await pauseByStaff(home.as.DIRECTOR, input)
  await pauseByStaff(owner, input)
  expect((await reread(bought)).state).toBe('paused')
  await expect(resumeByStaff(owner, input, after(dueOf(bought), 1))).rejects.toMatchObject(
    refused('order_resume_buyer'),
  )
  await resumeByStaff(home.as.DIRECTOR, input)
  expect(await reread(bought)).toMatchObject({ state: 'active', paidAmount: PRICE })
})

test.each<Role>(['EXPERT', 'CURATOR', 'MENTOR', 'PRESENTER', 'MEMBER', 'STUDENT'])('%s may not pause', async (role) => {
  const bought = await subscribe()
  const input = { orderId: bought.id }
  await expect(pauseByStaff(home.as[role], input)).rejects.toMatchObject({ code: 'forbidden' })
  await expect(resumeByStaff(home.as[role], input)).rejects.toMatchObject({ code: 'forbidden' })
})

test('another school finds no order to pause or resume', async () => {
  const bought = await subscribe()
  const elsewhere = { ...bought, tenantId: other.tenant.id }
  for (const attempt of [
    () => pause(elsewhere),
    () => resume(elsewhere),
    () => pauseByStaff(other.as.OWNER, { orderId: bought.id }),
    () => resumeByStaff(other.as.OWNER, { orderId: bought.id }),
  ]) {
    await expect(attempt()).rejects.toMatchObject({ code: 'not_found' })
  }
})

test('the card is changed by paying the next period with the new one, which is charged from then on', async () => {
  const bought = await subscribe()
  const { tenantId, publicId } = bought
  const page = await readOrderPage(tenantId, publicId)
  expect(page.methods).toEqual([])
  expect(page.cardMethods.map(({ provider }) => provider)).toEqual(['sandbox'])
  const who = { tenantId, address: '10.8.0.4' }
  const input = { publicId, provider: 'sandbox', part: 'card' } as const
  const [first, second] = [await payAgain(who, input), await payAgain(who, input)]
  expect(first).toBe(second)
  await expect(payAgain(who, { ...input, provider: 'liqpay' })).rejects.toMatchObject({
    details: { fields: { provider: ['payment_provider'] } },
  })
  const started = (await paymentsOf(bought)).find(({ status }) => status === 'new')
  await answerSandbox(PURPOSES, started ? referenceOf(started) : '', 'success')
  await endUnneededSubscriptions({ tenantId, orderId: bought.id })
  const paid = await reread(bought)
  expect(paid).toMatchObject({ state: 'active', paidAmount: 2 * PRICE })
  expect(dueOf(paid)).toEqual(chargeDateAfter(bought.paidAt ?? dueOf(bought), 'month', 2, owner.tenantTimeZone))
  const roots = (await paymentsOf(bought)).filter(({ kind, parentId }) => kind === 'recurrent' && parentId === null)
  expect(roots.map(({ status }) => status)).toEqual(['canceled', 'subscribed'])
  await renewSubscriptions(dueOf(paid))
  const charged = (await paymentsOf(bought)).at(-1)
  expect(charged).toMatchObject({ status: 'success', parentId: roots[1]?.id })
})

test('the card of an order that is not an active subscription cannot be changed', async () => {
  const bought = await subscribe()
  await pause(bought)
  const who = { tenantId: bought.tenantId, address: '10.8.0.4' }
  await expect(payAgain(who, { publicId: bought.publicId, provider: 'sandbox', part: 'card' })).rejects.toMatchObject(
    refused('order_closed'),
  )
})

test('the deletion of a buyer cancels the subscription at the provider, without an email', async () => {
  const bought = await subscribe()
  const { tenantId, studentId, email } = bought
  const emails = await listEmailsTo(email, tenantId)
  await inTenant(owner, async (tx) => orderCardSection.erase?.(tx, { studentId: studentId ?? '', email }))
  expect((await reread(bought)).state).toBe('canceled')
  expect(await plannedJobs('offer.endUnneededSubscriptions', bought)).toContainEqual({ tenantId, orderId: bought.id })
  await endUnneededSubscriptions({ tenantId, orderId: bought.id })
  expect(await statuses(bought)).toEqual(['canceled', 'success'])
  await renewSubscriptions(dueOf(bought))
  expect((await reread(bought)).paidAmount).toBe(PRICE)
  expect(await listEmailsTo(email, tenantId)).toHaveLength(emails.length)
})

test('the deletion of the recipient of a gift cancels the subscription and tells the giver', async () => {
  const gift = { name: 'Марія Гай', email: newBuyer() }
  const bought = await subscribe({ gift })
  const stranger = await subscribe()
  const person = { studentId: bought.studentId ?? '', email: gift.email }
  await inTenant(owner, async (tx) => orderCardSection.erase?.(tx, person))
  expect((await reread(bought)).state).toBe('canceled')
  expect((await reread(stranger)).state).toBe('active')
  const emails = (await listEmailsTo(bought.email, bought.tenantId)).map(({ subject }) => subject)
  expect(emails.join('\n')).toContain('Підписку скасовано')
})

test('the orders that are due are found by an index', async () => {
  const { rows } = await inTenant(owner, async (tx) => {
    await tx.execute('set local enable_seqscan = off')
    await tx.execute('set local enable_sort = off')
    return tx.execute<{ 'QUERY PLAN': string }>(
      "explain select 1 from sales_order where tenant_id = current_tenant() and state in ('active', 'overdue') and next_due_at <= now() order by next_due_at",
    )
  })
  expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('sales_order_due')
})

test('the subscription of a blocked student ends before the next charge, and the student cannot pay', async () => {
  const bought = await subscribe()
  await inTenant(bought, (tx) =>
    tx
      .update(membership)
      .set({ blockedAt: new Date() })
      .where(eq(membership.id, bought.studentId ?? '')),
  )
  const who = { tenantId: bought.tenantId, address: '10.8.0.10' }
  await expect(payAgain(who, { publicId: bought.publicId, provider: 'sandbox', part: 'card' })).rejects.toMatchObject(
    refused('order_not_accepted'),
  )
  await renewSubscriptions(new Date(dueOf(bought).getTime() - DAY_MS))
  expect((await reread(bought)).state).toBe('canceled')
  await endUnneededSubscriptions({ tenantId: bought.tenantId, orderId: bought.id })
  await renewSubscriptions(dueOf(bought))
  expect(await reread(bought)).toMatchObject({ state: 'canceled', paidAmount: PRICE })
  const [root] = await paymentsOf(bought)
  expect(root?.status).toBe('canceled')
})

test('a pause at LiqPay, which keeps the schedule, ends the subscription there, and the buyer resumes it by paying', async () => {
  await enableProvider(home, 'liqpay', LIQPAY_KEYS)
  const { notWeekly } = await listOfferOptions(owner, { courseId })
  expect(notWeekly).toEqual(['liqpay'])
  const charge = async (placed: Placed, id: number) => {
    const root = (await paymentsOf(placed)).findLast(({ parentId }) => parentId === null)
    const reference = root ? referenceOf(root) : ''
    server.orders.set(reference, { status: 'subscribed', amount: PRICE / 100, currency: 'UAH' })
    const values = { order_id: reference, amount: PRICE / 100, currency: 'UAH', payment_id: id }
    for (const message of [
      { action: 'subscribe', status: 'subscribed' },
      { action: 'regular', status: 'success' },
    ]) {
      const body = liqpayCallback({ ...values, ...message })
      await handleCallback(PURPOSES, { provider: 'liqpay', account: home.tenant.id, body, headers: new Headers() })
    }
    return reference
  }
  const placed = await order(home, offerId, { shownTotal: PRICE, provider: 'liqpay' })
  const reference = await charge(placed, 1)
  const bought = await reread(placed)
  await pause(bought)
  const [root] = await paymentsOf(bought)
  const subscription = { tenantId: bought.tenantId, paymentId: root?.id ?? '' }
  expect(await plannedJobs('offer.endSubscriptionAtProvider', bought)).toContainEqual(subscription)
  await endSubscriptionAtProvider(subscription)
  expect(server.orders.get(reference)?.status).toBe('unsubscribed')
  expect((await reread(bought)).state).toBe('paused')
  await expect(resume(bought)).rejects.toMatchObject(refused('order_resume_later'))
  const page = () => readOrderPage(bought.tenantId, bought.publicId)
  expect(await page()).toMatchObject({ resumeMode: 'later', methods: [], cardMethods: [] })
  await endPaidPeriod(bought)
  expect(await page()).toMatchObject({ resumeMode: 'pay', nextAmount: PRICE })
  const who = { tenantId: bought.tenantId, address: '10.8.0.4' }
  await payAgain(who, { publicId: bought.publicId, provider: 'liqpay' })
  await charge(bought, 2)
  const resumed = await reread(bought)
  const paidAt = new Date(resumed.schedule[1]?.paidAt ?? Number.NaN)
  expect(dueOf(resumed)).toEqual(chargeDateAfter(paidAt, 'month', 1, owner.tenantTimeZone))
  expect(resumed).toMatchObject({ state: 'active', paidAmount: 2 * PRICE })
})

test('the card is changed to LiqPay, which charges nothing before the next date and ends the first subscription', async () => {
  const school = await createTestTenant()
  const { courseId } = await publishedCourse(school.as.OWNER)
  const offerId = await createSoldOffer(school.as.OWNER, courseId, { kind: 'subscription', price: PRICE })
  const bought = await answerBank(await order(school, offerId, { shownTotal: PRICE }), 'success')
  await countAsMoney(school)
  await enableProvider(school, 'liqpay', LIQPAY_KEYS)
  const who = { tenantId: bought.tenantId, address: '10.8.0.9' }
  await payAgain(who, { publicId: bought.publicId, provider: 'liqpay', part: 'card' })
  const root = (await paymentsOf(bought)).at(-1)
  expect(root).toMatchObject({ provider: 'liqpay', status: 'new', startsAt: bought.nextDueAt })
  const { step } = await startPayment(root ? referenceOf(root) : '', 'uk')
  const data = step?.kind === 'form' ? Object.fromEntries(step.fields).data : ''
  expect(JSON.parse(Buffer.from(data ?? '', 'base64').toString())).toMatchObject({
    action: 'subscribe',
    subscribe_date_start: bought.nextDueAt?.toISOString().slice(0, 19).replace('T', ' '),
  })
  const values = { order_id: root ? referenceOf(root) : '', amount: PRICE / 100, currency: 'UAH', payment_id: 7 }
  const body = liqpayCallback({ ...values, action: 'subscribe', status: 'subscribed' })
  await handleCallback(PURPOSES, { provider: 'liqpay', account: school.tenant.id, body, headers: new Headers() })
  await endUnneededSubscriptions({ tenantId: bought.tenantId, orderId: bought.id })
  expect(await reread(bought)).toMatchObject({ state: 'active', paidAmount: PRICE, nextDueAt: bought.nextDueAt })
  const roots = (await paymentsOf(bought)).filter(({ parentId }) => parentId === null)
  expect(roots.map(({ status }) => status)).toEqual(['canceled', 'subscribed'])
  // LiqPay charges by its own schedule.
  await renewSubscriptions(dueOf(bought))
  expect((await paymentsOf(bought)).filter(({ status }) => status === 'success')).toHaveLength(1)
})
