import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { inTenant, pool } from '#lib/core/db/db.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { ROLES } from '#lib/core/shared/role.ts'
import { DAY_MS } from '#lib/core/shared/time.ts'
import { grantAccess } from '#lib/course/access/grants.ts'
import { setStaff } from '#lib/course/staff.ts'
import { applyOrderPayment } from '#lib/offer/order/apply-payment.ts'
import { addOrderNote, getOrder } from '#lib/offer/order/card.ts'
import { listOrders } from '#lib/offer/order/list.ts'
import { ListOrders, type RefundOrder } from '#lib/offer/order/order-schema.ts'
import { refundOrder } from '#lib/offer/order/refund.ts'
import { nextOrderState, ORDER_EVENTS } from '#lib/offer/order/rules.ts'
import { ORDER_STATES } from '#lib/offer/order/state-schema.ts'
import { applyPaymentEvent } from '#lib/payment/apply-event.ts'
import { listPayments, lockPayment } from '#lib/payment/payment.ts'
import { pollStuckPayments } from '#lib/payment/poll.ts'
import { ProviderUnavailable } from '#lib/payment/provider.ts'
import { sandbox } from '#lib/payment/providers/sandbox.ts'
import { referenceOf } from '#lib/payment/reference.ts'
import { payment } from '#lib/payment/table.ts'
import { auditedActions } from '../../../setup/audit.ts'
import { publishedCourse } from '../../../setup/course/groups.ts'
import { answerBank, createSoldOffer, currentGrants, newBuyer, order, readOrder } from '../../../setup/offer/orders.ts'
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
afterAll(() => pool.end())

async function paidOrder(email = newBuyer(), change: Parameters<typeof createSoldOffer>[2] = {}) {
  return answerBank(await order(home, await createSoldOffer(owner, courseId, change), { email }), 'success')
}
const refund = (orderId: string, change: Partial<RefundOrder> = {}, actor = owner) =>
  refundOrder(actor, { orderId, amount: 150_000, reason: 'Не підійшло', access: 'endNow', ...change })
/** The bank reports how much of the payment of an order it has returned in total. */
const reportReturned = (paid: { tenantId: string; id: string }, amount: number) =>
  inTenant(paid, async (tx) => {
    const [first] = await listPayments(tx, 'order', [paid.id])
    const row = first && (await lockPayment(tx, first.id))
    if (!row) throw new Error('the order has no payment')
    const report = {
      reference: referenceOf(row),
      kind: 'refund',
      status: 'success',
      currency: 'UAH',
      isTest: true,
    } as const
    await applyPaymentEvent(tx, applyOrderPayment, row, { ...report, amount, paymentAmount: row.amount })
  })
const grantsOf = ({ studentId }: { studentId: string | null }) => currentGrants(home.tenant.id, studentId ?? '')
const list = async (actor: Actor, filter: object = {}) => listOrders(actor, ListOrders.parse(filter))

describe('a refund', () => {
  test('in full ends the access of its order only, and tells the buyer', async () => {
    const email = newBuyer()
    const first = await paidOrder(email)
    const second = await paidOrder(email)
    await grantAccess(owner, { courseId, studentId: first.studentId ?? '' })
    expect(second.studentId).toBe(first.studentId)
    expect(await refund(first.id)).toEqual({ status: 'success', failure: null })
    expect(await readOrder(home.tenant.id, first.publicId)).toMatchObject({
      state: 'refunded',
      refundedAmount: 150_000,
    })
    const left = await grantsOf(first)
    expect(left.map(({ sourceType, sourceId }) => [sourceType, sourceId]).sort()).toEqual([
      ['manual', null],
      ['order', second.id],
    ])
    const emails = await listEmailsTo(email, home.tenant.id)
    expect(emails.some(({ subject }) => subject.includes('Повернення коштів'))).toBe(true)
    expect(await auditedActions(owner, first.id)).toEqual(['order.refunded'])
  })

  test('of a part can leave the access open; the rest can be returned later, and never more', async () => {
    const paid = await paidOrder()
    await refund(paid.id, { amount: 50_000, access: 'keep' })
    expect(await readOrder(home.tenant.id, paid.publicId)).toMatchObject({ state: 'partially_refunded' })
    expect(await grantsOf(paid)).toHaveLength(1)
    await expect(refund(paid.id, { amount: 100_001 })).rejects.toMatchObject({
      code: 'unprocessable',
      details: { fields: { amount: ['refund_amount'] } },
    })
    await refund(paid.id, { amount: 100_000 })
    expect(await readOrder(home.tenant.id, paid.publicId)).toMatchObject({ state: 'refunded' })
    expect(await grantsOf(paid)).toEqual([])
  })

  test('of installments returns the latest payments first and can end the access with the paid period', async () => {
    const paid = await paidOrder(newBuyer(), { kind: 'installments', installmentCount: 2 })
    await refund(paid.id, { amount: 10_000, access: 'endAtPeriod' })
    const [grant] = await grantsOf(paid)
    expect(grant?.endsAt).toEqual(paid.nextDueAt)
  })

  test('that the provider has not decided leaves the access until it is confirmed', async () => {
    const paid = await paidOrder()
    const answer = vi.spyOn(sandbox, 'refund').mockResolvedValue({ status: 'pending' })
    expect(await refund(paid.id)).toEqual({ status: 'pending', failure: null })
    answer.mockRestore()
    expect(await grantsOf(paid)).toHaveLength(1)
    await expect(refund(paid.id, { amount: 1 })).rejects.toMatchObject({ code: 'unprocessable' })
    await reportReturned(paid, 150_000)
    expect(await readOrder(home.tenant.id, paid.publicId)).toMatchObject({ state: 'refunded' })
    expect(await grantsOf(paid)).toEqual([])
  })

  test('that the provider never decides fails in the end, and the money can be returned again', async () => {
    const paid = await paidOrder()
    const answer = vi.spyOn(sandbox, 'refund').mockRejectedValue(new ProviderUnavailable('sandbox'))
    await refund(paid.id)
    answer.mockRestore()
    await inTenant(paid, (tx) =>
      tx
        .update(payment)
        .set({ nextPollAt: new Date(), createdAt: new Date(Date.now() - 11 * DAY_MS) })
        .where(eq(payment.kind, 'refund')),
    )
    await pollStuckPayments({ order: applyOrderPayment, plan: async () => {} })
    expect(await grantsOf(paid)).toHaveLength(1)
    expect(await refund(paid.id)).toEqual({ status: 'success', failure: null })
    expect(await grantsOf(paid)).toEqual([])
  })

  test('by the bank itself ends the access when all of the money was returned', async () => {
    const paid = await paidOrder()
    await reportReturned(paid, 50_000)
    expect(await grantsOf(paid)).toHaveLength(1)
    await reportReturned(paid, 150_000)
    expect(await readOrder(home.tenant.id, paid.publicId)).toMatchObject({ state: 'refunded' })
    expect(await grantsOf(paid)).toEqual([])
  })

  test.each(ROLES)('%s', async (role) => {
    const paid = await paidOrder()
    const done = await refund(paid.id, { amount: 1 }, home.as[role]).then(
      () => true,
      (error: { code: string }) => error.code !== 'forbidden',
    )
    expect(done).toBe(['OWNER', 'DIRECTOR'].includes(role))
  })

  test('of an order of another school is not found', async () => {
    const paid = await paidOrder()
    await expect(refund(paid.id, {}, other.as.OWNER)).rejects.toMatchObject({ code: 'not_found' })
    await expect(getOrder(other.as.OWNER, { orderId: paid.id })).rejects.toMatchObject({ code: 'not_found' })
  })
})

describe('the orders of a school', () => {
  test('are found by buyer, number, state and day, with their totals', async () => {
    const email = newBuyer()
    const paid = await paidOrder(email)
    const waiting = await order(home, await createSoldOffer(owner, courseId), { email })
    const found = await list(owner, { q: email })
    expect(found.items.map(({ id }) => id)).toEqual([waiting.id, paid.id])
    expect(found.totals).toEqual([{ currency: 'UAH', count: 2, paidAmount: 150_000, refundedAmount: 0 }])
    expect((await list(owner, { q: `№ ${paid.number}` })).items.map(({ id }) => id)).toEqual([paid.id])
    expect((await list(owner, { q: email, state: 'paid' })).items.map(({ id }) => id)).toEqual([paid.id])
    expect((await list(owner, { q: email, to: '2020-01-01' })).items).toEqual([])
    expect((await list(other.as.OWNER, { q: email })).items).toEqual([])
  })

  test('are seen by an expert of the course, and by no other', async () => {
    const paid = await paidOrder()
    const expert = home.as.EXPERT
    await expect(getOrder(expert, { orderId: paid.id })).rejects.toMatchObject({ code: 'not_found' })
    await setStaff(owner, { courseId, staff: [{ memberId: expert.membershipId, role: 'expert' }] })
    expect((await getOrder(expert, { orderId: paid.id })).order.id).toBe(paid.id)
    await expect(list(home.as.CURATOR)).rejects.toMatchObject({ code: 'forbidden' })
  })

  test('have a history of their states, notes and callbacks', async () => {
    const paid = await paidOrder()
    await addOrderNote(owner, { orderId: paid.id, text: 'Телефонував, усе гаразд' })
    const { timeline } = await getOrder(owner, { orderId: paid.id })
    expect(timeline.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['state', 'payment', 'note']))
    expect(timeline.map(({ text }) => text)).toEqual(expect.arrayContaining(['awaiting_payment', 'paid']))
  })
})

test('the state of an order: money is accepted from every state in which it is owed, and a refund ends it', () => {
  const accepting = ORDER_STATES.filter((state) => nextOrderState(state, 'payAll') === 'paid')
  expect(accepting).toEqual(['new', 'awaiting_payment', 'expired', 'canceled'])
  for (const event of ORDER_EVENTS) expect(nextOrderState('refunded', event)).toBeNull()
  for (const state of ['paid', 'completed', 'active', 'overdue', 'suspended'] as const) {
    expect(nextOrderState(state, 'refundAll')).toBe('refunded')
  }
  expect(nextOrderState('active', 'miss')).toBe('overdue')
  expect(nextOrderState('overdue', 'suspend')).toBe('suspended')
  expect(nextOrderState('suspended', 'payPart')).toBe('active')
})
