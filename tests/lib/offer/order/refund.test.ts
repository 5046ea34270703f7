import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { inTenant, pool } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { ROLES } from '#lib/core/shared/role.ts'
import { DAY_MS } from '#lib/core/shared/time.ts'
import { grantAccess } from '#lib/course/access/grants.ts'
import { setStaff } from '#lib/course/staff.ts'
import { readOrderPage } from '#lib/offer/checkout/read-order.ts'
import { applyOrderPayment } from '#lib/offer/order/apply-payment.ts'
import { addOrderNote, getOrder } from '#lib/offer/order/card.ts'
import { listOrders } from '#lib/offer/order/list.ts'
import { ListOrders, type RefundOrder } from '#lib/offer/order/order-schema.ts'
import { readRefundOutcome, refundOrder } from '#lib/offer/order/refund.ts'
import { previewRefund } from '#lib/offer/order/refund-preview.ts'
import { cancelByStaff } from '#lib/offer/subscription/cancel.ts'
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
  courseId = (await publishedCourse(owner)).courseId
})
beforeEach(async () => {
  await pool.query('delete from throttle')
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
    expect(await refund(first.id)).toMatchObject({ status: 'success', failure: null })
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

  test('of a part keeps the access by default, and everything that is left ends it', async () => {
    const paid = await paidOrder()
    await refundOrder(owner, { orderId: paid.id, amount: 50_000, reason: 'Знижка' })
    expect(await grantsOf(paid)).toHaveLength(1)
    expect((await readOrderPage(home.tenant.id, paid.publicId)).access).toMatchObject({ kind: 'open' })
    await refundOrder(owner, { orderId: paid.id, amount: 100_000, reason: 'Не підійшло' })
    expect(await grantsOf(paid)).toEqual([])
    expect((await readOrderPage(home.tenant.id, paid.publicId)).access).toMatchObject({ kind: 'endedAt' })
    expect((await getOrder(owner, { orderId: paid.id })).access.courses).toMatchObject([{ isOpen: false }])
  })

  test('tells the buyer whether the access is open', async () => {
    const [kept, ended] = [newBuyer(), newBuyer()]
    await refund((await paidOrder(kept)).id, { amount: 1, access: undefined })
    await refund((await paidOrder(ended)).id, { amount: 1, access: 'endNow' })
    const textOf = async (email: string) =>
      (await listEmailsTo(email, home.tenant.id)).find(({ subject }) => subject.includes('Повернення'))?.text
    expect(await textOf(kept)).toContain('Доступ відкрито')
    expect(await textOf(ended)).toContain('Доступ за цим замовленням закрито')
  })

  test('sent twice is made once', async () => {
    const paid = await paidOrder()
    const once = { amount: 50_000, access: 'keep', refundId: newId() } as const
    await Promise.all([refund(paid.id, once), refund(paid.id, once)])
    expect(await refund(paid.id, once)).toMatchObject({ status: 'success', failure: null })
    expect(await readOrder(home.tenant.id, paid.publicId)).toMatchObject({ refundedAmount: 50_000 })
  })

  test('is shown with its effects before it is sent, and changes nothing by that', async () => {
    const email = newBuyer()
    const { courseId: bundled } = await publishedCourse(owner)
    const paid = await paidOrder(email, { courseIds: [bundled] })
    await grantAccess(owner, { courseId: bundled, studentId: paid.studentId ?? '' })
    const preview = (amount: number) => previewRefund(owner, { orderId: paid.id, amount, reason: 'Не підійшло' })
    expect(await preview(50_000)).toMatchObject({ left: 100_000, email, access: 'keep', choices: ['keep', 'endNow'] })
    const all = await preview(150_000)
    expect(all).toMatchObject({ left: 0, access: 'endNow', events: [], mentoring: null, certificates: [], ends: null })
    const courses = new Map(all.orderAccess.courses.map((course) => [course.courseId, course]))
    expect(courses.get(courseId)).toMatchObject({ isOpen: true, hasOther: false })
    expect(courses.get(bundled)).toMatchObject({ isOpen: true, hasOther: true })
    expect(await grantsOf(paid)).toHaveLength(3)
    await expect(preview(150_001)).rejects.toMatchObject({ details: { fields: { amount: ['refund_amount'] } } })
    await expect(previewRefund(home.as.EXPERT, { orderId: paid.id, amount: 1, reason: 'x' })).rejects.toMatchObject({
      code: 'forbidden',
    })
    await expect(previewRefund(other.as.OWNER, { orderId: paid.id, amount: 1, reason: 'x' })).rejects.toMatchObject({
      code: 'not_found',
    })
  })

  test.each(['subscription', 'installments'] as const)(
    'that ends the access of an order with planned payments ends these too: %s',
    async (kind) => {
      const paid = await paidOrder(newBuyer(), { kind, installmentCount: 2 })
      expect(await previewRefund(owner, { orderId: paid.id, amount: 10_000, reason: 'x' })).toMatchObject({
        access: 'keep',
        choices: ['keep', 'endNow', 'endAtPeriod'],
        ends: kind,
      })
      await refund(paid.id, { amount: 10_000, access: 'keep' })
      expect(await readOrder(home.tenant.id, paid.publicId)).toMatchObject({
        state: 'active',
        nextDueAt: paid.nextDueAt,
      })
      await refund(paid.id, { amount: 10_000, access: 'endNow' })
      expect(await readOrder(home.tenant.id, paid.publicId)).toMatchObject({ state: 'canceled', nextDueAt: null })
      expect(await grantsOf(paid)).toEqual([])
    },
  )

  test('in full of a canceled subscription by the bank ends its access', async () => {
    const paid = await paidOrder(newBuyer(), { kind: 'subscription' })
    await cancelByStaff(owner, { orderId: paid.id })
    expect(await grantsOf(paid)).toHaveLength(1)
    await reportReturned(paid, 150_000)
    expect(await readOrder(home.tenant.id, paid.publicId)).toMatchObject({ state: 'refunded' })
    expect(await grantsOf(paid)).toEqual([])
  })

  test('of an order does not let the same buyer return to it: a new purchase is a new order', async () => {
    const email = newBuyer()
    const offerId = await createSoldOffer(owner, courseId)
    const paid = await answerBank(await order(home, offerId, { email }), 'success')
    await refund(paid.id, { amount: 50_000, access: 'endNow' })
    const again = await order(home, offerId, { email })
    expect(again.id).not.toBe(paid.id)
    expect(again.state).toBe('awaiting_payment')
    expect(await grantsOf(paid)).toEqual([])
  })

  test('of installments returns the latest payments first and can end the access with the paid period', async () => {
    const paid = await paidOrder(newBuyer(), { kind: 'installments', installmentCount: 2 })
    await refund(paid.id, { amount: 10_000, access: 'endAtPeriod' })
    const [grant] = await grantsOf(paid)
    expect(grant?.endsAt).toEqual(paid.nextDueAt)
  })

  test('over several payments ends the access when all parts are returned, and keeps it when one is refused', async () => {
    const paid = await paidOrder(newBuyer(), { kind: 'installments', installmentCount: 2 })
    await inTenant(paid, async (tx) => {
      const [first] = await listPayments(tx, 'order', [paid.id])
      if (!first) throw new Error('the order has no payment')
      const { id: _, onceKey: __, ...columns } = first
      const [second] = await tx
        .insert(payment)
        .values({ ...columns, id: newId(), createdAt: new Date() })
        .returning()
      if (second) await applyOrderPayment(tx, { payment: second, previousStatus: 'pending' })
    })
    const { paidAmount } = await readOrder(home.tenant.id, paid.publicId)
    const refundId = newId()
    const original = sandbox.refund
    const bank = vi
      .spyOn(sandbox, 'refund')
      .mockImplementationOnce((...request) => original(...request))
      .mockResolvedValueOnce({ status: 'error', failure: 'Відхилено' })
    const refused = await refundOrder(owner, {
      orderId: paid.id,
      amount: paidAmount,
      reason: 'Не підійшло',
      refundId,
    })
    expect(refused).toEqual({
      status: 'error',
      failure: 'Відхилено',
      returnedAmount: paidAmount / 2,
      requestedAmount: paidAmount,
    })
    expect(await readRefundOutcome(owner, { orderId: paid.id, refundId })).toEqual(refused)
    expect(await readRefundOutcome(owner, { orderId: paid.id, refundId: newId() })).toBeNull()
    bank.mockRestore()
    const half = await readOrder(home.tenant.id, paid.publicId)
    expect([half.refundedAmount, half.accessEndedAt]).toEqual([paidAmount / 2, null])
    expect(await grantsOf(paid)).toHaveLength(1)
    const rest = { orderId: paid.id, amount: paidAmount / 2, reason: 'Решта' }
    expect(await refundOrder(owner, rest)).toMatchObject({ status: 'success', failure: null })
    expect(await readOrder(home.tenant.id, paid.publicId)).toMatchObject({ state: 'refunded' })
    expect(await grantsOf(paid)).toEqual([])
  })

  test('of a part that ends the access frees the seat', async () => {
    const offerId = await createSoldOffer(owner, courseId, { seats: 1 })
    const first = await answerBank(await order(home, offerId), 'success')
    await refund(first.id, { amount: 50_000, access: 'keep' })
    await expect(order(home, offerId)).rejects.toMatchObject({ code: 'unprocessable' })
    await refund(first.id, { amount: 50_000, access: 'endNow' })
    expect(await readOrder(home.tenant.id, first.publicId)).toMatchObject({ state: 'partially_refunded' })
    const second = await answerBank(await order(home, offerId), 'success')
    expect(await grantsOf(second)).toHaveLength(1)
  })

  test('of a gift ends the access of its recipient, not of the buyer, who is notified', async () => {
    const [buyer, friend] = [newBuyer(), newBuyer()]
    const own = await paidOrder(buyer)
    const offerId = await createSoldOffer(owner, courseId)
    const gift = { name: 'Ганна', email: friend, message: 'Вітаю' }
    const given = await answerBank(await order(home, offerId, { email: buyer, gift }), 'success')
    expect(given.studentId).not.toBe(own.studentId)
    expect(await grantsOf(given)).toHaveLength(1)
    const emailCount = (await listEmailsTo(friend, home.tenant.id)).length
    expect(await previewRefund(owner, { orderId: given.id, amount: 150_000, reason: '' })).toMatchObject({
      email: buyer,
      recipient: expect.stringContaining(friend),
      access: 'endNow',
    })
    await refundOrder(owner, { orderId: given.id, amount: 150_000, reason: 'Не підійшло' })
    expect(await grantsOf(given)).toEqual([])
    expect(await grantsOf(own)).toHaveLength(1)
    const [email] = await listEmailsTo(buyer, home.tenant.id)
    expect(email?.subject).toContain('Повернення коштів')
    expect(await listEmailsTo(friend, home.tenant.id)).toHaveLength(emailCount)
  })

  test('that the provider has not decided leaves the access until it is confirmed', async () => {
    const paid = await paidOrder()
    const answer = vi.spyOn(sandbox, 'refund').mockResolvedValue({ status: 'pending' })
    expect(await refund(paid.id)).toMatchObject({ status: 'pending', failure: null })
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
    expect(await refund(paid.id)).toMatchObject({ status: 'success', failure: null })
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
    expect(found.totals).toEqual([{ currency: 'UAH', count: 2, testCount: 2, paidAmount: 0, refundedAmount: 0 }])
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
