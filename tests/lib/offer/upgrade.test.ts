import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { inTenant, pool } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { readCheckout } from '#lib/offer/checkout/read-checkout.ts'
import { readOrderPage } from '#lib/offer/checkout/read-order.ts'
import { getOffer, saveOffer } from '#lib/offer/offer.ts'
import { getOrder } from '#lib/offer/order/card.ts'
import { refundOrder } from '#lib/offer/order/refund.ts'
import { listOfferOptions } from '#lib/offer/references.ts'
import { OfferSettings } from '#lib/offer/schema.ts'
import { findUpgradedOrder } from '#lib/offer/upgrade.ts'
import { publishedCourse } from '../../setup/course/groups.ts'
import {
  answerBank,
  createSoldOffer,
  currentGrants,
  newBuyer,
  order,
  type readOrder,
} from '../../setup/offer/orders.ts'
import { createOtherTenant, createTestTenant, type TestTenant } from '../../setup/tenants.ts'

let home: TestTenant
let other: TestTenant
let owner: Actor
let courseId: string
let lowerId: string
let upperId: string
beforeAll(async () => {
  home = await createTestTenant()
  other = await createOtherTenant()
  owner = home.as.OWNER
})
beforeEach(async () => {
  await pool.query('delete from throttle')
  courseId = (await publishedCourse(owner)).courseId
  lowerId = await createSoldOffer(owner, courseId, { price: LOWER })
  upperId = await createSoldOffer(owner, courseId, { price: UPPER, upgradesOfferId: lowerId })
})
afterAll(() => pool.end())

const LOWER = 100_000
const UPPER = 250_000
type Placed = Awaited<ReturnType<typeof readOrder>>

const buyLower = async (change: object = {}): Promise<Placed> =>
  answerBank(await order(home, lowerId, { shownTotal: LOWER, ...change }), 'success')
const upgrade = (bought: Placed, change: object = {}, offerId = upperId): Promise<Placed> =>
  order(home, offerId, { email: bought.email, upgrade: bought.publicId, shownTotal: UPPER - LOWER, ...change })
const refund = ({ id }: Placed, amount: number, access: 'endNow' | 'keep' = 'endNow') =>
  refundOrder(owner, { orderId: id, amount, reason: 'На прохання', access })
const grantedOrders = async ({ tenantId, studentId }: Placed) =>
  (await currentGrants(tenantId, studentId ?? '')).map(({ sourceId }) => sourceId).toSorted()
const changed = { code: 'conflict', details: { fields: { form: ['order_price_changed'] } } }
const timeline = async ({ id }: Placed) =>
  (await getOrder(owner, { orderId: id })).timeline.map(({ kind, text }) => `${kind} ${text}`)

test('a buyer pays the difference, and keeps the first access besides the new one', async () => {
  const bought = await buyLower()
  const page = await readOrderPage(bought.tenantId, bought.publicId)
  expect(page.upgrades).toMatchObject([{ id: upperId, total: { total: UPPER - LOWER, credit: LOWER } }])
  const view = await readCheckout(home.tenant.id, { offerId: upperId, coupon: '', upgrade: bought.publicId })
  expect(view).toMatchObject({ upgrade: bought.publicId, total: { total: UPPER - LOWER, credit: LOWER } })
  const placed = await upgrade(bought)
  expect(placed).toMatchObject({
    amount: UPPER - LOWER,
    creditAmount: LOWER,
    listAmount: UPPER,
    upgradesId: bought.id,
  })
  const paid = await answerBank(placed, 'success')
  expect(paid).toMatchObject({ state: 'paid', paidAmount: UPPER - LOWER, studentId: bought.studentId })
  expect(await grantedOrders(paid)).toEqual([bought.id, paid.id].toSorted())
  expect(await timeline(bought)).toContain('access upgraded')
  expect((await readOrderPage(bought.tenantId, bought.publicId)).upgrades).toEqual([])
})

test('a returned upgrade ends its own access only, and can be bought again', async () => {
  const bought = await buyLower()
  const paid = await answerBank(await upgrade(bought), 'success')
  await refund(paid, UPPER - LOWER)
  expect(await grantedOrders(paid)).toEqual([bought.id])
  const again = await answerBank(await upgrade(bought), 'success')
  expect(await grantedOrders(again)).toEqual([bought.id, again.id].toSorted())
  await refund(bought, LOWER)
  expect(await grantedOrders(again)).toEqual([again.id])
})

test('a signed-in student sees the difference without a link, another student the price', async () => {
  const { studentId } = await buyLower()
  const stranger = await buyLower({ email: newBuyer() })
  const view = (viewer: string | null) =>
    readCheckout(home.tenant.id, { offerId: upperId, coupon: '', studentId: viewer })
  expect((await view(studentId)).total.total).toBe(UPPER - LOWER)
  await answerBank(await upgrade(stranger), 'success')
  expect((await view(stranger.studentId)).total.total).toBe(UPPER)
  expect((await view(newId())).total.total).toBe(UPPER)
  expect((await view(null)).total.total).toBe(UPPER)
})

test('the access is for the student of the first order, whatever email address is typed', async () => {
  const bought = await buyLower()
  const paid = await answerBank(await upgrade(bought, { email: newBuyer() }), 'success')
  expect(paid.studentId).toBe(bought.studentId)
})

test('only an order that is paid in full is credited, with what was not returned', async () => {
  const unpaid = await order(home, lowerId, { shownTotal: LOWER })
  await expect(upgrade(unpaid)).rejects.toMatchObject(changed)
  const bought = await buyLower()
  await refund(bought, 30_000, 'keep')
  await expect(upgrade(bought)).rejects.toMatchObject(changed)
  expect(await upgrade(bought, { shownTotal: UPPER - 70_000 })).toMatchObject({ creditAmount: 70_000 })
  const returned = await buyLower()
  await refund(returned, LOWER)
  await expect(upgrade(returned)).rejects.toMatchObject(changed)
  const otherOffer = await answerBank(
    await order(home, await createSoldOffer(owner, courseId, { price: LOWER }), { shownTotal: LOWER }),
    'success',
  )
  await expect(upgrade(otherOffer)).rejects.toMatchObject(changed)
})

test('an upgrade of an upgrade credits both payments', async () => {
  const topId = await createSoldOffer(owner, courseId, { price: 600_000, upgradesOfferId: upperId })
  const bought = await buyLower()
  const upper = await answerBank(await upgrade(bought), 'success')
  const top = await order(home, topId, { email: bought.email, upgrade: upper.publicId, shownTotal: 600_000 - UPPER })
  expect(top).toMatchObject({ creditAmount: UPPER })
})

test('an offer that costs less than was paid is free', async () => {
  const cheapId = await createSoldOffer(owner, courseId, { price: 60_000, upgradesOfferId: lowerId })
  const placed = await upgrade(await buyLower(), { shownTotal: 0, provider: undefined }, cheapId)
  expect(placed).toMatchObject({ state: 'paid', amount: 0, creditAmount: 60_000 })
})

test('the same money is credited once, also at the same time', async () => {
  const secondId = await createSoldOffer(owner, courseId, { price: UPPER, upgradesOfferId: lowerId })
  const bought = await buyLower()
  const placed = await Promise.allSettled([upgrade(bought), upgrade(bought, {}, secondId)])
  expect(placed.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  const first = placed.find((result) => result.status === 'fulfilled')?.value
  if (!first) throw new Error('no upgrade was placed')
  const rest = first.offerId === upperId ? secondId : upperId
  await answerBank(first, 'success')
  await expect(upgrade(bought, {}, rest)).rejects.toMatchObject(changed)
  await expect(upgrade(bought, { name: 'Інше Ім’я' }, first.offerId)).rejects.toMatchObject(changed)
})

test('a form that is posted twice places one upgrade, and one with another name can be paid instead', async () => {
  const bought = await buyLower()
  const [first, second] = await Promise.all([upgrade(bought), upgrade(bought)])
  expect(first.id).toBe(second.id)
  expect(await upgrade(bought, { name: 'Інше Ім’я' })).toMatchObject({ creditAmount: LOWER })
})

test('a difference that is paid after the first order was returned is accepted and noted', async () => {
  const bought = await buyLower()
  const placed = await upgrade(bought)
  await refund(bought, LOWER)
  const paid = await answerBank(placed, 'success')
  expect(paid.state).toBe('paid')
  expect(await timeline(paid)).toContain('problem creditGone')
})

test('an upgrade is not a gift', async () => {
  const gift = { name: 'Марія Гай', email: newBuyer() }
  await expect(upgrade(await buyLower(), { gift })).rejects.toMatchObject({
    code: 'invalid',
    details: { fields: { form: ['order_upgrade_gift'] } },
  })
})

test('another school credits nothing of an order', async () => {
  const bought = await buyLower()
  const found = await inTenant({ tenantId: other.tenant.id }, (tx) =>
    findUpgradedOrder(
      tx,
      { id: upperId, upgradesOfferId: lowerId, currency: 'UAH' },
      { publicId: bought.publicId },
      { now: new Date(), isLocked: true, mayTest: true },
    ),
  )
  expect(found).toBeNull()
})

test('the editor offers the other offers of the course that are paid once or in installments, and accepts no others', async () => {
  const subscriptionId = await createSoldOffer(owner, courseId, { kind: 'subscription', price: LOWER })
  const elsewhereId = await createSoldOffer(owner, (await publishedCourse(owner)).courseId)
  const dollarsId = await createSoldOffer(owner, courseId, { currency: 'USD' })
  const { upgradable } = await listOfferOptions(owner, { courseId, offerId: upperId })
  expect(upgradable.map(({ id }) => id).toSorted()).toEqual([lowerId, dollarsId].toSorted())
  const save = async (upgradesOfferId: string, kind = 'once') => {
    const { version } = await getOffer(owner, { offerId: upperId })
    const settings = OfferSettings.parse({ name: 'Повний', kind, price: UPPER, upgradesOfferId })
    return saveOffer(owner, { offerId: upperId, version, settings })
  }
  for (const id of [subscriptionId, elsewhereId, dollarsId, upperId]) {
    await expect(save(id)).rejects.toMatchObject({ details: { fields: { upgradesOfferId: ['offer_upgrade'] } } })
  }
  await expect(save(newId())).rejects.toMatchObject({ code: 'not_found' })
  await save(lowerId)
  await expect(save(lowerId, 'subscription')).rejects.toMatchObject({
    details: { fields: { upgradesOfferId: ['offer_upgrade_kind'] } },
  })
})

test('for any prices and refunds no amount is negative, and credit and total add up to the price', async () => {
  const amount = fc.integer({ min: 1, max: 1_000_000 })
  await fc.assert(
    fc.asyncProperty(amount, amount, fc.double({ min: 0, max: 1, noNaN: true }), async (low, high, part) => {
      await pool.query('delete from throttle')
      const lower = await createSoldOffer(owner, courseId, { price: low })
      const upper = await createSoldOffer(owner, courseId, { price: high, upgradesOfferId: lower })
      const bought = await answerBank(await order(home, lower, { shownTotal: low }), 'success')
      const returned = Math.floor(low * part)
      if (returned > 0) await refund(bought, returned, 'keep')
      const { total } = await readCheckout(home.tenant.id, { offerId: upper, coupon: '', upgrade: bought.publicId })
      expect(total.total).toBe(Math.max(0, high - (low - returned)))
      expect(total.credit + total.total).toBe(high)
      expect(total.credit).toBeLessThanOrEqual(low - returned)
      const provider = total.dueNow === 0 ? undefined : 'sandbox'
      const placed = await upgrade(bought, { shownTotal: total.total, provider }, upper)
      expect(placed).toMatchObject({ amount: total.total, creditAmount: total.credit })
    }),
    { numRuns: 8 },
  )
})
