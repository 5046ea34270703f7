import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { inTenant, pool } from '#lib/core/db/db.ts'
import { HOUR_MS, MINUTE_MS } from '#lib/core/shared/time.ts'
import { getOrder } from '#lib/offer/order/card.ts'
import { expireOrders, followUpOrders } from '#lib/offer/order/due-orders.ts'
import { resendOrderEmail } from '#lib/offer/order/resend/resend.ts'
import { deleteOrderView, listOrderViews, saveOrderView } from '#lib/offer/order/views/views.ts'
import { membership } from '#lib/user/table.ts'
import { publishedCourse } from '../../../setup/course/groups.ts'
import { answerBank, createSoldOffer, newBuyer, order, readOrder } from '../../../setup/offer/orders.ts'
import { listEmailsTo } from '../../../setup/servers/sent-emails.ts'
import { createOtherTenant, createTestTenant, type TestTenant } from '../../../setup/tenants.ts'

let home: TestTenant
let other: TestTenant
let offerId: string
beforeAll(async () => {
  home = await createTestTenant()
  other = await createOtherTenant()
  offerId = await createSoldOffer(home.as.OWNER, (await publishedCourse(home.as.OWNER)).courseId)
})
beforeEach(() => pool.query('delete from throttle'))
afterAll(() => pool.end())

const emails = async (to: string) => (await listEmailsTo(to, home.tenant.id)).map(({ subject }) => subject)
const at = (ms: number) => new Date(Date.now() + ms)
const resend = (orderId: string, email: 'confirmation' | 'invitation' | 'receipt', actor = home.as.OWNER) =>
  resendOrderEmail(actor, { orderId, email })

test('views are saved by each member under a name, replaced and deleted', async () => {
  const { OWNER: owner, DIRECTOR: director, EXPERT: expert, CURATOR: curator } = home.as
  await saveOrderView(owner, { name: 'Борги', query: 'state=overdue' })
  const { viewId } = await saveOrderView(owner, { name: 'Борги', query: 'state=suspended' })
  expect(await listOrderViews(owner)).toEqual([{ id: viewId, name: 'Борги', query: 'state=suspended' }])
  expect(await listOrderViews(director)).toEqual([])
  expect(await listOrderViews(expert)).toEqual([])
  await expect((async () => listOrderViews(curator))()).rejects.toMatchObject({ code: 'forbidden' })
  for (const actor of [director, other.as.OWNER])
    await expect(deleteOrderView(actor, { viewId })).rejects.toMatchObject({ code: 'not_found' })
  await deleteOrderView(owner, { viewId })
  await expect(deleteOrderView(owner, { viewId })).rejects.toMatchObject({ code: 'not_found' })
})

test('a member saves 30 views at most', async () => {
  const { DIRECTOR: director } = home.as
  for (let i = 0; i < 30; i++) await saveOrderView(director, { name: `${i}`, query: `q=${i}` })
  await expect(saveOrderView(director, { name: '31', query: 'q=31' })).rejects.toMatchObject({
    details: { fields: { name: ['too_many_views'] } },
  })
  expect(await listOrderViews(director)).toHaveLength(30)
})

test('the confirmation and the invitation are sent again, and the timeline says by whom', async () => {
  const email = newBuyer()
  const placed = await order(home, offerId, { email })
  await expect(resend(placed.id, 'confirmation')).rejects.toMatchObject({
    details: { fields: { form: ['resend_not_paid'] } },
  })
  const { studentId } = await answerBank(placed, 'success')
  const before = (await emails(email)).length
  await resend(placed.id, 'confirmation')
  await resend(placed.id, 'invitation')
  const sent = await emails(email)
  expect(sent).toHaveLength(before + 2)
  expect(new Set(sent).size).toBe(before)
  const { timeline, resendable } = await getOrder(home.as.OWNER, { orderId: placed.id })
  expect(timeline.filter(({ kind }) => kind === 'email').map(({ text }) => text)).toEqual([
    'confirmation',
    'invitation',
  ])
  expect(resendable).toEqual(['confirmation', 'invitation'])
  await inTenant(home.as.OWNER, (tx) =>
    tx
      .update(membership)
      .set({ status: 'accepted' })
      .where(eq(membership.id, studentId ?? '')),
  )
  await expect(resend(placed.id, 'invitation')).rejects.toMatchObject({
    details: { fields: { form: ['resend_accepted'] } },
  })
  await expect(resend(placed.id, 'receipt')).rejects.toMatchObject({
    details: { fields: { form: ['resend_no_receipt'] } },
  })
})

test('emails are sent again by the owner and directors of the school, ten times a day', async () => {
  const paid = await answerBank(await order(home, offerId), 'success')
  await expect(resend(paid.id, 'confirmation', home.as.EXPERT)).rejects.toMatchObject({ code: 'forbidden' })
  await expect(resend(paid.id, 'confirmation', other.as.OWNER)).rejects.toMatchObject({ code: 'not_found' })
  for (let i = 0; i < 10; i++) await resend(paid.id, 'confirmation', home.as.DIRECTOR)
  await expect(resend(paid.id, 'confirmation')).rejects.toMatchObject({ code: 'too_many' })
})

test('a buyer who left an order unpaid is reminded once, an hour after the reservation has ended', async () => {
  const email = newBuyer()
  const placed = await order(home, offerId, { email })
  await expireOrders(at(31 * MINUTE_MS))
  await followUpOrders(at(31 * MINUTE_MS))
  expect(await emails(email)).toEqual([])
  await Promise.all([followUpOrders(at(2 * HOUR_MS)), followUpOrders(at(2 * HOUR_MS))])
  await followUpOrders(at(3 * HOUR_MS))
  expect(await emails(email)).toEqual([expect.stringContaining('Ваше замовлення чекає')])
  const { timeline } = await getOrder(home.as.OWNER, { orderId: placed.id })
  expect(timeline.filter(({ kind }) => kind === 'reminder').map(({ text }) => text)).toEqual(['abandoned'])
})

test('who has paid, or has bought the same offer meanwhile, is not reminded of the abandoned order', async () => {
  const [late, again] = [newBuyer(), newBuyer()]
  const lateOrder = await order(home, offerId, { email: late })
  await order(home, offerId, { email: again })
  await expireOrders(at(31 * MINUTE_MS))
  await answerBank(lateOrder, 'success')
  await answerBank(await order(home, offerId, { email: again, name: 'Олена К.' }), 'success')
  const before = [await emails(late), await emails(again)]
  await followUpOrders(at(2 * HOUR_MS))
  expect([await emails(late), await emails(again)]).toEqual(before)
  expect((await readOrder(home.tenant.id, lateOrder.publicId)).state).toBe('paid')
})

test('a reminder of an order that was left two days ago is not sent any more', async () => {
  const email = newBuyer()
  await order(home, offerId, { email })
  await expireOrders(at(31 * MINUTE_MS))
  await followUpOrders(at(50 * HOUR_MS))
  expect(await emails(email)).toEqual([])
})
