import { afterAll, beforeAll, expect, test } from 'vitest'
import { inTenant, pool } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import { refundOrder } from '#lib/offer/order/refund.ts'
import { getAutoSessionStatistics } from '#lib/statistics/auto-sessions.ts'
import { getStatistics } from '#lib/statistics/statistics.ts'
import { buttonAddress } from '#lib/workshop/session/button-rules.ts'
import { ensureAutoSession } from '#lib/workshop/session/session.ts'
import { publishedCourse } from '../../../setup/course/groups.ts'
import { answerBank, countAsMoney, createSoldOffer, order } from '../../../setup/offer/orders.ts'
import { createWorkshop } from '../../../setup/parsed/workshop.ts'
import { createOtherTenant, createTestTenant, type TestTenant } from '../../../setup/tenants.ts'

const startAt = '2026-10-25T10:00:00Z'

let home: TestTenant
let other: TestTenant
beforeAll(async () => {
  home = await createTestTenant()
  other = await createOtherTenant()
})
afterAll(() => pool.end())

async function event({ as }: TestTenant) {
  const title = 'Ефір із кнопкою'
  const created = await createWorkshop(as.OWNER, { type: 'webinar', title, timeZone: 'Europe/Kyiv', startAt })
  return { workshopId: created.workshopId, sessionId: created.sessionId ?? '' }
}

test('what the link of a button has sold is in the statistics of its event, without refunds', async () => {
  const owner = home.as.OWNER
  const offerId = await createSoldOffer(owner, (await publishedCourse(owner)).courseId)
  const { workshopId, sessionId } = await event(home)
  const elsewhere = await event(other)
  const buttonId = newId()
  const button = `${sessionId}.${buttonId}`
  const paid = await answerBank(await order(home, offerId, { button }), 'success')
  await answerBank(await order(home, offerId, { button }), 'success')
  await answerBank(await order(home, offerId, { button }), 'error')
  // Another school's session, another text, and no button.
  for (const text of [`${elsewhere.sessionId}.${buttonId}`, 'x'.repeat(200), null])
    await answerBank(await order(home, offerId, { button: text }), 'success')
  await refundOrder(owner, { orderId: paid.id, amount: 50_000, reason: 'Частково', access: 'keep' })
  expect((await getStatistics(owner, { workshopId })).sales).toEqual([])
  await countAsMoney(home)
  const { sales } = await getStatistics(owner, { workshopId })
  expect(sales).toEqual([{ buttonId, currency: 'UAH', orderCount: 2, revenue: 250_000 }])
  expect((await getStatistics(other.as.OWNER, { workshopId: elsewhere.workshopId })).sales).toEqual([])
  const { rows } = await inTenant(owner, (tx) =>
    tx.execute<{ count: number }>(
      'select count(*)::int as count from sales_order where sold_in_session_id is not null',
    ),
  )
  expect(rows).toEqual([{ count: 3 }])
})

test('what the buttons of an automated webinar have sold is summed over its sessions', async () => {
  const owner = home.as.OWNER
  const offerId = await createSoldOffer(owner, (await publishedCourse(owner)).courseId)
  const create = (title: string) => createWorkshop(owner, { type: 'autoWebinar', title, timeZone: 'Europe/Kyiv' })
  const [{ workshopId }, another] = [await create('Щотижня'), await create('Щодня')]
  const sessionOf = (id: string, at: string) =>
    inTenant(owner, async (tx) => {
      const { sessionId } = await ensureAutoSession(tx, id, { startAt: new Date(at), plannedMinutes: 60 })
      return sessionId
    })
  const buttonId = newId()
  for (const sessionId of [
    await sessionOf(workshopId, '2026-10-01T16:00:00Z'),
    await sessionOf(workshopId, '2026-10-08T16:00:00Z'),
    await sessionOf(another.workshopId, '2026-10-08T16:00:00Z'),
  ])
    await answerBank(await order(home, offerId, { button: `${sessionId}.${buttonId}` }), 'success')
  await countAsMoney(home)
  const { sales } = await getAutoSessionStatistics(owner, { workshopId })
  expect(sales).toEqual([{ buttonId, currency: 'UAH', orderCount: 2, revenue: 300_000 }])
})

test('the address of a button names it only on the pages of selling of the same host', () => {
  const [sessionId, buttonId, offerId] = [newId(), newId(), newId()]
  const seen = (url: string) => buttonAddress(url, { host: 'demo.kafedra.ua', sessionId, buttonId })
  const query = `button=${sessionId}.${buttonId}`
  expect(seen(`https://demo.kafedra.ua/checkout/${offerId}`)).toBe(
    `https://demo.kafedra.ua/checkout/${offerId}?${query}`,
  )
  expect(seen(`https://demo.kafedra.ua/course/${offerId}?utm_source=live#offers`)).toBe(
    `https://demo.kafedra.ua/course/${offerId}?utm_source=live&${query}#offers`,
  )
  for (const url of [
    `https://example.com/checkout/${offerId}`,
    'https://demo.kafedra.ua/courses',
    `https://demo.kafedra.ua/course/view/${offerId}`,
    'javascript:alert(1)',
    'not an address',
  ])
    expect(seen(url)).toBe(url)
})
