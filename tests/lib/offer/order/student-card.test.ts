import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inTenant, pool } from '#lib/core/db/db.ts'
import { applyOrderPayment } from '#lib/offer/order/apply-payment.ts'
import { addOrderNote, getOrder } from '#lib/offer/order/card.ts'
import { orderCardSection } from '#lib/offer/order/student-card.ts'
import { replayCallback } from '#lib/payment/callback.ts'
import { payment, paymentCallback } from '#lib/payment/table.ts'
import { publishedCourse } from '../../../setup/course/groups.ts'
import { answerBank, createSoldOffer, newBuyer, order, readOrder } from '../../../setup/offer/orders.ts'
import { createOtherTenant, createTestTenant, type TestTenant } from '../../../setup/tenants.ts'

let home: TestTenant
let offerId = ''
beforeAll(async () => {
  home = await createTestTenant()
  offerId = await createSoldOffer(home.as.OWNER, (await publishedCourse(home.as.OWNER)).courseId)
})
afterAll(() => pool.end())

test('the student card lists the orders that gave the student access', async () => {
  const placed = await answerBank(await order(home, offerId), 'success')
  const list = (tenantId: string) =>
    inTenant({ tenantId }, async (tx) => orderCardSection.list?.(tx, placed.studentId ?? '', undefined))
  const page = await list(home.tenant.id)
  expect(page).toMatchObject({
    items: [{ id: placed.id, context: `№ ${placed.number} · Базовий`, stateKey: 'order:state.paid', isGood: true }],
    next: null,
  })
  const other = await createOtherTenant()
  expect(await list(other.tenant.id)).toMatchObject({ items: [] })
})

test('the deletion of a person leaves the amounts of orders and no name, address, answer or note', async () => {
  const mine = await answerBank(await order(home, offerId, { phone: '+380501112233' }), 'success')
  await addOrderNote(home.as.OWNER, { orderId: mine.id, text: 'Просила рахунок на Олену Коваль' })
  const gift = await order(home, offerId, {
    gift: { name: 'Ганна', email: mine.email, message: 'Ганно, вітаю!' },
  })
  const stranger = await order(home, offerId, { email: newBuyer() })
  const person = { studentId: mine.studentId ?? '', email: mine.email }
  await inTenant(home.as.OWNER, async (tx) => orderCardSection.erase?.(tx, person))
  const erased = await readOrder(home.tenant.id, mine.publicId)
  expect(erased).toMatchObject({ number: mine.number, paidAmount: 150_000, buyerName: '', phone: '', answers: [] })
  expect(erased.email).toMatch(/@deleted\.invalid$/)
  const texts = JSON.stringify([
    await getOrder(home.as.OWNER, { orderId: mine.id }),
    await readOrder(home.tenant.id, gift.publicId),
  ])
  for (const part of ['Олену', mine.email, 'Ганн']) expect(texts).not.toContain(part)
  expect(await readOrder(home.tenant.id, stranger.publicId)).toMatchObject({
    buyerName: 'Олена Коваль',
    email: stranger.email,
  })
})

test('the deletion of a person removes what banks have reported about the payer, and leaves the payments', async () => {
  const [mine, stranger] = [
    await answerBank(await order(home, offerId), 'success'),
    await answerBank(await order(home, offerId), 'success'),
  ]
  const person = { studentId: mine.studentId ?? '', email: mine.email }
  await inTenant(home.as.OWNER, async (tx) => orderCardSection.erase?.(tx, person))
  const stored = await inTenant(home.as.OWNER, (tx) =>
    tx
      .select({
        id: paymentCallback.id,
        body: paymentCallback.body,
        purposeId: payment.purposeId,
        status: payment.status,
      })
      .from(paymentCallback)
      .innerJoin(payment, eq(payment.id, paymentCallback.paymentId)),
  )
  const erased = stored.find(({ purposeId }) => purposeId === mine.id)
  expect(erased).toMatchObject({ body: '', status: 'success' })
  expect(stored.find(({ purposeId }) => purposeId === stranger.id)?.body).toContain('success')
  const purposes = { order: applyOrderPayment, plan: async () => {} }
  const replay = replayCallback(purposes, { tenantId: home.tenant.id, callbackId: erased?.id ?? '' })
  await expect(replay).rejects.toMatchObject({ code: 'not_found' })
})
