import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { inTenant, pool } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { placeOrder } from '#lib/offer/checkout/place-order.ts'
import { payAgain, readOrderPage } from '#lib/offer/checkout/read-order.ts'
import { PlaceOrder } from '#lib/offer/checkout/schema.ts'
import { saveCoupon } from '#lib/offer/coupon/coupon.ts'
import { SaveCoupon } from '#lib/offer/coupon/schema.ts'
import { getOffer, saveOffer } from '#lib/offer/offer.ts'
import { applyOrderPayment } from '#lib/offer/order/apply-payment.ts'
import { getOrder } from '#lib/offer/order/card.ts'
import { expireOrders, followUpOrders } from '#lib/offer/order/due-orders.ts'
import { refundOrder } from '#lib/offer/order/refund.ts'
import { releaseOrder } from '#lib/offer/order/release.ts'
import { readPublicCourse } from '#lib/offer/public-course.ts'
import { listPayments } from '#lib/payment/payment.ts'
import { referenceOf } from '#lib/payment/reference.ts'
import { answerSandbox } from '#lib/payment/sandbox-answer.ts'
import { membership } from '#lib/user/table.ts'
import { publishedCourse } from '../../../setup/course/groups.ts'
import { whileRowsFail } from '../../../setup/failing-rows.ts'
import { answerBank, createSoldOffer, currentGrants, newBuyer, order, readOrder } from '../../../setup/offer/orders.ts'
import { setPlan } from '../../../setup/parsed/billing.ts'
import { listEmailsTo } from '../../../setup/servers/sent-emails.ts'
import {
  addTestMember,
  createOtherTenant,
  createTestTenant,
  createTestUser,
  signInTestUser,
  type TestTenant,
} from '../../../setup/tenants.ts'

const minutes = (count: number) => new Date(Date.now() + count * 60_000)
const refused = (field: string, key: string) => ({ details: { fields: { [field]: [key] } } })

let home: TestTenant
let other: TestTenant
let owner: Actor
let courseId: string
beforeAll(async () => {
  home = await createTestTenant()
  other = await createOtherTenant()
  // The trial of a plan has fewer courses than these tests create.
  await setPlan({ tenantId: home.tenant.id, group: 'lms', plan: 'max', nextPayment: minutes(60 * 24) })
  // An actor has the plans that were valid when it was loaded.
  owner = (await signInTestUser(home.as.OWNER.userId, home.tenant.subdomain)).actor
})
beforeEach(async () => {
  await pool.query('delete from throttle')
  courseId = (await publishedCourse(owner)).courseId
})
afterAll(() => pool.end())

const coupon = (change: object = {}) => {
  const input = { couponId: newId(), code: `C${newId().slice(-10)}`, type: 'percent', value: 10, ...change }
  const parsed = SaveCoupon.parse(input)
  return saveCoupon(owner, parsed).then(() => parsed.code)
}
const visitorOf = ({ tenant }: TestTenant) => ({ tenantId: tenant.id, address: '10.8.0.1' })
const paymentsOf = (placed: { tenantId: string; id: string }) =>
  inTenant(placed, (tx) => listPayments(tx, 'order', [placed.id]))
const settled = async (attempts: Promise<unknown>[]) => {
  const results = await Promise.allSettled(attempts)
  return results.filter(({ status }) => status === 'fulfilled').length
}

describe('a visitor without an account', () => {
  test('pays, gets the access and an invitation, and the receipt by email', async () => {
    const offerId = await createSoldOffer(owner, courseId, { emailText: 'Чат курсу: t.me/kurs' })
    const placed = await order(home, offerId)
    expect(placed).toMatchObject({ state: 'awaiting_payment', amount: 150_000, paidAmount: 0, studentId: null })
    expect(await listEmailsTo(placed.email, home.tenant.id)).toEqual([])
    const paid = await answerBank(placed, 'success')
    expect(paid).toMatchObject({ state: 'paid', paidAmount: 150_000 })
    expect(await currentGrants(home.tenant.id, paid.studentId ?? '')).toMatchObject([
      { courseId, sourceType: 'order', sourceId: placed.id, endsAt: null, moduleIds: null },
    ])
    const emails = await listEmailsTo(placed.email, home.tenant.id)
    // Paid by the sandbox: nobody says that money was received.
    expect(emails.map(({ subject }) => subject).join('\n')).toContain('Тестова покупка')
    expect(emails.map(({ text }) => text).join('\n')).not.toContain('Ми отримали')
    expect(emails.some(({ text }) => text.includes('Чат курсу: t.me/kurs'))).toBe(true)
    expect(emails.some(({ text }) => text.includes('/invite-accept?'))).toBe(true)
  })

  test('gets a free course at once', async () => {
    const offerId = await createSoldOffer(owner, courseId, { kind: 'free', accessType: 'days', accessDays: 30 })
    const placed = await order(home, offerId, { shownTotal: 0, provider: undefined })
    expect(placed).toMatchObject({ state: 'paid', amount: 0 })
    const [grant] = await currentGrants(home.tenant.id, placed.studentId ?? '')
    expect(grant?.endsAt?.getTime()).toBeCloseTo(minutes(30 * 24 * 60).getTime(), -5)
  })

  test('chooses how to pay unless there is nothing to pay', async () => {
    const placed = order(home, await createSoldOffer(owner, courseId), { provider: undefined })
    await expect(placed).rejects.toMatchObject({ code: 'invalid', ...refused('provider', 'order_choose_payment') })
  })

  test('sees neither failure nor success while the bank has not decided, and can pay again after a refusal', async () => {
    const placed = await order(home, await createSoldOffer(owner, courseId))
    expect((await answerBank(placed, 'error')).state).toBe('awaiting_payment')
    expect((await answerBank(placed, 'success')).state).toBe('paid')
    expect((await answerBank(placed, 'success')).paidAmount).toBe(150_000)
  })

  test('who sends the form twice has one order and one payment', async () => {
    const offerId = await createSoldOffer(owner, courseId)
    const email = newBuyer()
    const [first, second] = await Promise.all([order(home, offerId, { email }), order(home, offerId, { email })])
    expect(second.id).toBe(first.id)
    const payments = await inTenant(first, (tx) => listPayments(tx, 'order', [first.id]))
    expect(payments).toHaveLength(1)
    // Another name is another form: it learns nothing about the first order.
    expect((await order(home, offerId, { email, name: 'Інша людина' })).id).not.toBe(first.id)
  })

  test('buys a gift: the recipient gets the access and the invitation with the message', async () => {
    const gift = { name: 'Тарас Бондар', email: newBuyer(), message: 'З днем народження!' }
    const placed = await order(home, await createSoldOffer(owner, courseId), { gift })
    const paid = await answerBank(placed, 'success')
    expect(await currentGrants(home.tenant.id, paid.studentId ?? '')).toHaveLength(1)
    const emails = await listEmailsTo(gift.email, home.tenant.id)
    expect(emails.some(({ text }) => text.includes('/invite-accept?') && text.includes('З днем народження!'))).toBe(
      true,
    )
    expect(
      (await listEmailsTo(placed.email, home.tenant.id)).some(({ text }) => text.includes('/invite-accept?')),
    ).toBe(false)
  })
})

describe('a buyer with the checkout open in two tabs', () => {
  const nextPath = async (offerId: string, input: object, now = new Date()) => {
    const form = { offerId, name: 'Олена Коваль', consent: true, provider: 'sandbox', shownTotal: 150_000, ...input }
    return placeOrder({ ...visitorOf(home), actor: null, locale: 'uk' }, PlaceOrder.parse(form), now)
  }

  test.each([
    ['success', ''],
    ['pending', '?returned=1'],
  ] as const)(
    'pays once: the second tab leads to the order when the answer of the bank is %s',
    async (answer, query) => {
      const offerId = await createSoldOffer(owner, courseId, { seats: 1 })
      const email = newBuyer()
      const first = await order(home, offerId, { email })
      await answerBank(first, answer)
      const second = await nextPath(offerId, { email })
      expect(second).toEqual({ publicId: first.publicId, next: `/order/${first.publicId}${query}` })
      expect(await paymentsOf(first)).toHaveLength(1)
    },
  )

  test('pays for a subscription once', async () => {
    const offerId = await createSoldOffer(owner, courseId, { kind: 'subscription' })
    const email = newBuyer()
    const first = await answerBank(await order(home, offerId, { email }), 'success')
    expect(first.state).toBe('active')
    expect((await nextPath(offerId, { email })).publicId).toBe(first.publicId)
  })

  test('learns in the second one that the price has changed, and gets the first order with its price', async () => {
    const offerId = await createSoldOffer(owner, courseId)
    const email = newBuyer()
    const first = await order(home, offerId, { email })
    const { version, settings } = await getOffer(owner, { offerId })
    await saveOffer(owner, { offerId, version, settings: { ...settings, price: 170_000 } })
    expect((await nextPath(offerId, { email })).publicId).toBe(first.publicId)
    const other = { email: newBuyer() }
    await expect(nextPath(offerId, other)).rejects.toMatchObject(refused('form', 'order_price_changed'))
  })

  test('gets a new reservation when the first one has ended', async () => {
    const offerId = await createSoldOffer(owner, courseId, { seats: 1 })
    const email = newBuyer()
    const first = await order(home, offerId, { email })
    await expireOrders(minutes(31))
    const second = await nextPath(offerId, { email }, minutes(31))
    expect(second.publicId).not.toBe(first.publicId)
    await expect(nextPath(offerId, { email: newBuyer() }, minutes(31))).rejects.toMatchObject(
      refused('form', 'offer_sold_out'),
    )
  })

  test('can buy again after the money was returned', async () => {
    const offerId = await createSoldOffer(owner, courseId)
    const email = newBuyer()
    const first = await answerBank(await order(home, offerId, { email }), 'success')
    await refundOrder(owner, { orderId: first.id, amount: 150_000, reason: 'Помилка', access: 'endNow' })
    expect((await nextPath(offerId, { email })).publicId).not.toBe(first.publicId)
  })
})

test('a person with an account becomes a student of the school without an invitation', async () => {
  const email = newBuyer()
  await createTestUser(email)
  const paid = await answerBank(await order(home, await createSoldOffer(owner, courseId), { email }), 'success')
  expect(paid.studentId).not.toBeNull()
  const emails = await listEmailsTo(email, home.tenant.id)
  expect(emails.map(({ text }) => text).join('\n')).not.toContain('/invite-accept?')
  expect(emails.some(({ text }) => text.includes(`/course/view/${courseId}`))).toBe(true)
})

test('a signed-in student keeps the account', async () => {
  const student = home.as.STUDENT
  const input = { email: student.email }
  const placed = await order(home, await createSoldOffer(owner, courseId), input, { actor: student })
  expect(placed.studentId).toBe(student.membershipId)
})

describe('the price', () => {
  test('that was shown is what is charged: another one is refused', async () => {
    const offerId = await createSoldOffer(owner, courseId)
    await expect(order(home, offerId, { shownTotal: 149_999 })).rejects.toMatchObject({
      code: 'conflict',
      ...refused('form', 'order_price_changed'),
    })
  })

  test('is reduced by a coupon within its offers, time and uses', async () => {
    const offerId = await createSoldOffer(owner, courseId)
    const elsewhere = await createSoldOffer(owner, courseId)
    const code = await coupon({ offerIds: [offerId], maxPerPerson: 1 })
    const email = newBuyer()
    const placed = await order(home, offerId, { coupon: ` ${code.toLowerCase()} `, email, shownTotal: 135_000 })
    expect(placed).toMatchObject({ amount: 135_000, discountAmount: 15_000 })
    const again = { coupon: code, email, name: 'Інша людина', shownTotal: 135_000 }
    await expect(order(home, offerId, again)).rejects.toMatchObject(refused('coupon', 'coupon_used_by_you'))
    const wrong = { coupon: code, shownTotal: 135_000 }
    await expect(order(home, elsewhere, wrong)).rejects.toMatchObject(refused('coupon', 'coupon_other_offer'))
    const over = await coupon({ endsAt: '2020-01-01T00:00:00.000Z' })
    await expect(order(home, offerId, { coupon: over })).rejects.toMatchObject(refused('coupon', 'coupon_ended'))
    await expect(order(home, offerId, { coupon: 'NOSUCHCODE' })).rejects.toMatchObject(
      refused('coupon', 'coupon_unknown'),
    )
  })

  test('is reduced by a coupon once for each person, whatever spelling of the address is typed', async () => {
    const offerId = await createSoldOffer(owner, courseId)
    const code = await coupon({ maxPerPerson: 1 })
    const name = newId().replaceAll('-', '')
    const use = (email: string) => order(home, offerId, { coupon: code, email, shownTotal: 135_000 })
    await use(`${name.slice(0, 4)}.${name.slice(4)}@gmail.com`)
    for (const email of [`${name}+2@gmail.com`, `${name.toUpperCase()}@GoogleMail.com`])
      await expect(use(email)).rejects.toMatchObject(refused('coupon', 'coupon_used_by_you'))
    await use(`${name}+2@elsewhere.test`)
    await use(`${name}+3@elsewhere.test`)
  })

  test.each([
    { change: { startsAt: '2099-01-01T00:00:00.000Z' }, reason: 'coupon_not_started' },
    { change: { type: 'fixed', value: 1000, currency: 'EUR' }, reason: 'coupon_currency' },
  ])('is not reduced by a coupon that does not apply yet or has another currency: $reason', async (refusal) => {
    const code = await coupon(refusal.change)
    const placed = order(home, await createSoldOffer(owner, courseId), { coupon: code })
    await expect(placed).rejects.toMatchObject(refused('coupon', refusal.reason))
  })

  test('is not reduced again by a coupon whose use was refunded', async () => {
    const offerId = await createSoldOffer(owner, courseId)
    const use = { coupon: await coupon({ maxTotal: 1 }), shownTotal: 135_000 }
    const paid = await answerBank(await order(home, offerId, use), 'success')
    const refund = { orderId: paid.id, amount: 135_000, reason: 'Не підійшло', access: 'endNow' as const }
    expect(await refundOrder(owner, refund)).toMatchObject({ status: 'success' })
    expect((await readOrder(home.tenant.id, paid.publicId)).state).toBe('refunded')
    await expect(order(home, offerId, use)).rejects.toMatchObject(refused('coupon', 'coupon_used_up'))
  })

  test('of a coupon for everything is nothing, and needs no payment', async () => {
    const code = await coupon({ value: 100 })
    const input = { coupon: code, shownTotal: 0, provider: undefined }
    expect((await order(home, await createSoldOffer(owner, courseId), input)).state).toBe('paid')
  })

  test('with the last use of a coupon is given to one of twenty buyers at once', async () => {
    const offerId = await createSoldOffer(owner, courseId)
    const code = await coupon({ maxTotal: 1 })
    const attempts = Array.from({ length: 20 }, () => order(home, offerId, { coupon: code, shownTotal: 135_000 }))
    expect(await settled(attempts)).toBe(1)
  })
})

describe('limited seats', () => {
  test('the last one is reserved for one of two buyers', async () => {
    const offerId = await createSoldOffer(owner, courseId, { seats: 1 })
    expect(await settled([order(home, offerId), order(home, offerId)])).toBe(1)
    await expect(order(home, offerId)).rejects.toMatchObject(refused('form', 'offer_sold_out'))
  })

  test('a reservation ends after 30 minutes, and money that arrives later is accepted', async () => {
    const offerId = await createSoldOffer(owner, courseId, { seats: 1 })
    const placed = await order(home, offerId)
    await expireOrders(minutes(29))
    expect((await readOrder(home.tenant.id, placed.publicId)).state).toBe('awaiting_payment')
    await expireOrders(minutes(31))
    expect((await readOrder(home.tenant.id, placed.publicId)).state).toBe('expired')
    const next = await answerBank(await order(home, offerId), 'success')
    expect(next.state).toBe('paid')
    // The bank of the first buyer answers at last: a person who has paid has access.
    const late = await answerBank(placed, 'success')
    expect(late.state).toBe('paid')
    expect(await currentGrants(home.tenant.id, late.studentId ?? '')).toHaveLength(1)
    const { timeline } = await getOrder(owner, { orderId: late.id })
    expect(timeline.filter(({ kind }) => kind === 'problem').map(({ text }) => text)).toEqual(['seatTaken'])
  })

  test('an order that cannot be changed does not keep the reservations of others', async () => {
    const offerId = await createSoldOffer(owner, courseId)
    const [failing, next] = [await order(home, offerId), await order(home, offerId)]
    await whileRowsFail({ table: 'sales_order', column: 'public_id', value: failing.publicId }, async () => {
      await expect(expireOrders(minutes(31))).rejects.toThrow('this row fails')
    })
    expect((await readOrder(home.tenant.id, failing.publicId)).state).toBe('awaiting_payment')
    expect((await readOrder(home.tenant.id, next.publicId)).state).toBe('expired')
    await expireOrders(minutes(31))
    expect((await readOrder(home.tenant.id, failing.publicId)).state).toBe('expired')
  })

  test('a reservation that ends while the bank answers keeps its seat and its use of a coupon', async () => {
    const offerId = await createSoldOffer(owner, courseId, { seats: 1 })
    const elsewhere = await createSoldOffer(owner, courseId)
    const used = { coupon: await coupon({ maxTotal: 1 }), shownTotal: 135_000 }
    const placed = await order(home, offerId, used)
    await answerBank(placed, 'pending')
    await expireOrders(minutes(31))
    expect((await readOrder(home.tenant.id, placed.publicId)).state).toBe('awaiting_payment')
    const buyLater = (id: string, input = {}) => order(home, id, input, {}, minutes(31))
    await expect(buyLater(offerId)).rejects.toMatchObject(refused('form', 'offer_sold_out'))
    await expect(buyLater(elsewhere, used)).rejects.toMatchObject(refused('coupon', 'coupon_used_up'))
    const { offers } = await readPublicCourse(home.tenant.id, courseId, minutes(31))
    expect(offers.find(({ id }) => id === offerId)?.seatsLeft).toBe(0)
    const release = () => releaseOrder(owner, { orderId: placed.id })
    await expect(release()).rejects.toMatchObject(refused('form', 'order_payment_pending'))
    expect((await answerBank(placed, 'success')).state).toBe('paid')
    await expect(release()).rejects.toMatchObject({ code: 'conflict' })
    await expect(buyLater(offerId)).rejects.toMatchObject(refused('form', 'offer_sold_out'))
  })

  test('a reservation that ended while the bank answered is released when the bank refuses', async () => {
    const offerId = await createSoldOffer(owner, courseId, { seats: 1 })
    const placed = await order(home, offerId)
    await answerBank(placed, 'pending')
    await answerBank(placed, 'error')
    expect((await order(home, offerId, {}, {}, minutes(31))).state).toBe('awaiting_payment')
    await expireOrders(minutes(31))
    expect((await readOrder(home.tenant.id, placed.publicId)).state).toBe('expired')
  })

  test('money for a seat that was sold to another buyer is accepted and noted as a problem', async () => {
    const offerId = await createSoldOffer(owner, courseId, { seats: 1 })
    // The job that closes the order has not run.
    const late = await order(home, offerId, {}, {}, minutes(-31))
    const next = await answerBank(await order(home, offerId), 'success')
    expect((await answerBank(late, 'success')).state).toBe('paid')
    const problems = async (orderId: string) => {
      const { timeline } = await getOrder(owner, { orderId })
      return timeline.filter(({ kind }) => kind === 'problem').map(({ text }) => text)
    }
    expect([await problems(next.id), await problems(late.id)]).toEqual([[], ['seatTaken']])
  })
})

describe('the payment of an order', () => {
  const pay = (publicId: string, now = new Date()) => payAgain(visitorOf(home), { publicId, provider: 'sandbox' }, now)

  test('is continued instead of being started again, also by two clicks at once', async () => {
    const placed = await order(home, await createSoldOffer(owner, courseId))
    expect(new Set(await Promise.all([pay(placed.publicId), pay(placed.publicId)])).size).toBe(1)
    expect(await paymentsOf(placed)).toHaveLength(1)
    await answerBank(placed, 'error')
    await pay(placed.publicId)
    expect((await paymentsOf(placed)).map(({ status }) => status)).toEqual(['error', 'new'])
  })

  test('is not started after the reservation has ended, also before the order is closed', async () => {
    const placed = await order(home, await createSoldOffer(owner, courseId))
    await expect(pay(placed.publicId, minutes(31))).rejects.toMatchObject(refused('form', 'order_closed'))
    const page = await readOrderPage(home.tenant.id, placed.publicId, null, minutes(31))
    expect(page.methods).toEqual([])
  })

  test('that the bank is still deciding is shown as such, although another card was refused', async () => {
    const placed = await order(home, await createSoldOffer(owner, courseId))
    await answerBank(placed, 'pending')
    await pay(placed.publicId)
    await answerBank(placed, 'error')
    expect((await readOrderPage(home.tenant.id, placed.publicId)).payment.state).toBe('waiting')
  })

  test('is started a limited number of times', async () => {
    const placed = await order(home, await createSoldOffer(owner, courseId))
    for (let n = 0; n < 60; n += 1) await pay(placed.publicId)
    await expect(pay(placed.publicId)).rejects.toMatchObject({ code: 'too_many' })
  })
})

test('an order that waits for its bank does not keep others from expiring', async () => {
  const offerId = await createSoldOffer(owner, courseId)
  const waiting = await order(home, offerId)
  await answerBank(waiting, 'pending')
  const left = await order(home, offerId)
  expect(await expireOrders(minutes(31))).toBeGreaterThan(0)
  expect((await readOrder(home.tenant.id, left.publicId)).state).toBe('expired')
  expect(await expireOrders(minutes(31))).toBe(0)
})

test('the page of an order shows only to the person who gets the access that it is theirs', async () => {
  const student = await addTestMember(home, 'STUDENT', newBuyer())
  const email = student.email
  const placed = await order(home, await createSoldOffer(owner, courseId), { email })
  const paid = await answerBank(placed, 'success')
  expect(paid.studentId).toBe(student.membershipId)
  const isViewer = async (actor: Actor | null) => (await readOrderPage(home.tenant.id, placed.publicId, actor)).isViewer
  expect(await isViewer(student)).toBe(true)
  expect(await isViewer(null)).toBe(false)
  expect(await isViewer(await addTestMember(home, 'STUDENT', newBuyer()))).toBe(false)
})

test('a blocked student is not charged', async () => {
  const student = await addTestMember(home, 'STUDENT', newBuyer())
  await inTenant({ tenantId: home.tenant.id }, (tx) =>
    tx.update(membership).set({ blockedAt: new Date() }).where(eq(membership.id, student.membershipId)),
  )
  const offerId = await createSoldOffer(owner, courseId)
  await expect(order(home, offerId, { email: student.email })).rejects.toMatchObject(
    refused('form', 'order_not_accepted'),
  )
})

test('answers that an offer requires are asked for', async () => {
  const questions = [{ id: 'city', label: 'Місто', required: true }]
  const offerId = await createSoldOffer(owner, courseId, { questions, phone: 'required' })
  await expect(order(home, offerId)).rejects.toMatchObject({
    code: 'invalid',
    details: { fields: { 'answers.city': ['required'], phone: ['required'] } },
  })
  const placed = await order(home, offerId, { answers: { city: 'Львів', extra: 'x' }, phone: '+380671234567' })
  expect(placed.answers).toEqual([{ label: 'Місто', answer: 'Львів' }])
})

test('orders are numbered from 1 in each school without gaps', async () => {
  const school = await createTestTenant()
  const course = await publishedCourse(school.as.OWNER)
  const offerId = await createSoldOffer(school.as.OWNER, course.courseId)
  const placed = await Promise.all([order(school, offerId), order(school, offerId), order(school, offerId)])
  expect(placed.map(({ number }) => number).sort()).toEqual([1, 2, 3])
})

test('an offer of another school, a draft and a hidden one are not found', async () => {
  const offerId = await createSoldOffer(owner, courseId)
  await expect(order(other, offerId)).rejects.toMatchObject({ code: 'not_found' })
  const hidden = await createSoldOffer(owner, courseId, { visibility: 'hidden' })
  await expect(order(home, hidden)).rejects.toMatchObject({ code: 'not_found' })
})

test('a course that is paid in parts: access follows the payments', async () => {
  const offerId = await createSoldOffer(owner, courseId, {
    kind: 'installments',
    installmentCount: 2,
    installmentDays: 30,
  })
  const placed = await order(home, offerId)
  const first = await answerBank(placed, 'success')
  expect(first).toMatchObject({ state: 'active', paidAmount: 75_000 })
  const [grant] = await currentGrants(home.tenant.id, first.studentId ?? '')
  // A week after the second payment is due.
  expect(grant?.endsAt?.getTime()).toBeCloseTo(minutes(37 * 24 * 60).getTime(), -5)
})

test('the first part of a course, paid twice, does not pay for the second one', async () => {
  const offerId = await createSoldOffer(owner, courseId, {
    kind: 'installments',
    installmentCount: 2,
    installmentDays: 30,
    firstAmount: 10_000,
  })
  const placed = await order(home, offerId)
  const [first] = await paymentsOf(placed)
  // While the bank of the first one decides, the buyer pays once more.
  await answerBank(placed, 'pending')
  await payAgain(visitorOf(home), { publicId: placed.publicId, provider: 'sandbox' })
  await answerBank(placed, 'success')
  const purposes = { order: applyOrderPayment, plan: async () => {} }
  if (first) await answerSandbox(purposes, referenceOf(first), 'success')
  const paid = await readOrder(home.tenant.id, placed.publicId)
  expect(paid).toMatchObject({ state: 'active', paidAmount: 20_000 })
  expect(paid.nextDueAt).not.toBeNull()
})

test('an order whose part was paid late is marked as late before it is suspended', async () => {
  const offerId = await createSoldOffer(owner, courseId, {
    kind: 'installments',
    installmentCount: 2,
    installmentDays: 30,
  })
  const placed = await answerBank(await order(home, offerId), 'success')
  const stateAt = async (days: number) => {
    await followUpOrders(minutes(days * 24 * 60))
    return (await readOrder(home.tenant.id, placed.publicId)).state
  }
  expect(await stateAt(60)).toBe('overdue')
  expect(await stateAt(60)).toBe('suspended')
})

test('strangers get at most three gifts a day, and no text with a free one', async () => {
  const offerId = await createSoldOffer(owner, courseId, { kind: 'free' })
  const gift = { name: 'Ганна', email: newBuyer(), message: 'Купіть тут: https://example.test' }
  const send = () => order(home, offerId, { gift, provider: undefined, shownTotal: 0 })
  expect((await send()).giftMessage).toBe('')
  await send()
  await send()
  await expect(send()).rejects.toMatchObject({ code: 'too_many' })
})

test('paid gifts to different people count against the budget of the network', async () => {
  const offerId = await createSoldOffer(owner, courseId)
  const send = (address: string) => {
    const gift = { name: 'Ганна', email: newBuyer(), message: 'Купіть тут: https://example.test' }
    return order(home, offerId, { gift }, { address })
  }
  for (let gifts = 0; gifts < 20; gifts += 1) await send('198.51.100.1')
  await expect(send('198.51.100.1')).rejects.toMatchObject({ code: 'too_many' })
  await send('203.0.113.7')
})
