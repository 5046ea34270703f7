import { afterAll, beforeAll, expect, test } from 'vitest'
import { pool } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { DAY_MS, MINUTE_MS } from '#lib/core/shared/time.ts'
import { addressTokenOf } from '#lib/offer/checkout/address-token.ts'
import { confirmOrderAddress } from '#lib/offer/checkout/confirm-address.ts'
import { payAgain, readOrderPage } from '#lib/offer/checkout/read-order.ts'
import { saveCoupon } from '#lib/offer/coupon/coupon.ts'
import { SaveCoupon } from '#lib/offer/coupon/schema.ts'
import { listOrders } from '#lib/offer/order/list.ts'
import { ListOrders } from '#lib/offer/order/order-schema.ts'
import { releaseOrder } from '#lib/offer/order/release.ts'
import { auditedActions } from '../../../setup/audit.ts'
import { publishedCourse } from '../../../setup/course/groups.ts'
import { createSoldOffer, newBuyer, order, readOrder } from '../../../setup/offer/orders.ts'
import { enableProvider } from '../../../setup/payment/purposes.ts'
import { createOtherTenant, createTestTenant, type TestTenant } from '../../../setup/tenants.ts'

const BANK = { recipient: 'ТОВ «Лекторій»', iban: 'UA213223130000026007233566001', taxId: '12345678' }
const FULL = { details: { fields: { form: ['offer_sold_out'] } } }
const TOO_MANY = { details: { fields: { form: ['order_too_many_unpaid'] } } }

let home: TestTenant
let other: TestTenant
let owner: Actor
let courseId: string
beforeAll(async () => {
  home = await createTestTenant()
  other = await createOtherTenant()
  owner = home.as.OWNER
  courseId = (await publishedCourse(owner)).courseId
  await enableProvider(home, 'bank', BANK)
})
afterAll(() => pool.end())

const after = (ms: number) => new Date(Date.now() + ms)
let networks = 0
const byTransfer = (offerId: string, input: object = {}, now = new Date()) =>
  order(home, offerId, { provider: 'bank', ...input }, { address: `10.9.${++networks}.1` }, now)
const confirm = (placed: { id: string; email: string; publicId: string }, now = new Date()) =>
  confirmOrderAddress(home.tenant.id, { publicId: placed.publicId, token: addressTokenOf(placed) }, now)

test('a transfer without a confirmed address reserves a seat for the answer of a bank only', async () => {
  const offerId = await createSoldOffer(owner, courseId, { seats: 1 })
  const placed = await byTransfer(offerId)
  expect(placed.expiresAt?.getTime()).toBeGreaterThan(after(6 * DAY_MS).getTime())
  expect(placed.reservedUntil?.getTime()).toBeLessThan(after(31 * MINUTE_MS).getTime())
  await expect(byTransfer(offerId)).rejects.toMatchObject(FULL)
  const later = after(31 * MINUTE_MS)
  await expect(byTransfer(offerId, {}, later)).resolves.toMatchObject({ state: 'awaiting_payment' })
  // The seat is gone: the first buyer does not pay for nothing.
  const visitor = { tenantId: home.tenant.id, address: '10.9.0.1' }
  await expect(payAgain(visitor, { publicId: placed.publicId, provider: 'bank' }, later)).rejects.toMatchObject(FULL)
})

test('the seat is reserved until the transfer is due when the buyer confirms the address', async () => {
  const offerId = await createSoldOffer(owner, courseId, { seats: 2 })
  const placed = await byTransfer(offerId)
  for (const token of ['', 'x'.repeat(43), addressTokenOf({ id: newId(), email: placed.email })])
    await expect(confirmOrderAddress(home.tenant.id, { publicId: placed.publicId, token })).rejects.toMatchObject({
      code: 'not_found',
    })
  expect((await readOrderPage(home.tenant.id, placed.publicId)).hold).toMatchObject({ isConfirmed: false })
  await confirm(placed)
  await confirm(placed)
  const reserved = await readOrder(home.tenant.id, placed.publicId)
  expect(reserved.reservedUntil).toEqual(reserved.expiresAt)
  // Half of the seats at most wait for transfers.
  const second = await byTransfer(offerId)
  await confirm(second)
  expect((await readOrderPage(home.tenant.id, second.publicId)).hold).toMatchObject({
    isConfirmed: true,
    isUntilDeadline: false,
  })
})

test('one address and one network hold a few of the seats or uses of a promo code', async () => {
  const offerId = await createSoldOffer(owner, courseId, { seats: 12 })
  const email = newBuyer()
  for (const name of ['Олена', 'Ольга']) await byTransfer(offerId, { name, email })
  await expect(byTransfer(offerId, { name: 'Оксана', email })).rejects.toMatchObject(TOO_MANY)
  const sameNetwork = () => order(home, offerId, { provider: 'bank' }, { address: '10.7.7.7' })
  for (let each = 0; each < 3; each += 1) await sameNetwork()
  await expect(sameNetwork()).rejects.toMatchObject(TOO_MANY)
  const unlimited = await createSoldOffer(owner, courseId)
  await saveCoupon(
    owner,
    SaveCoupon.parse({ couponId: newId(), code: 'ОСТАННІ', type: 'percent', value: 10, maxTotal: 8 }),
  )
  const withCoupon = (coupon: string) => {
    const input = { provider: 'bank' as const, coupon, shownTotal: coupon ? 135_000 : 150_000 }
    return order(home, unlimited, input, { address: '10.7.7.8' })
  }
  for (let each = 0; each < 2; each += 1) await withCoupon('ОСТАННІ')
  await expect(withCoupon('ОСТАННІ')).rejects.toMatchObject(TOO_MANY)
  for (let each = 0; each < 3; each += 1) await withCoupon('')
})

test('staff see a reservation and release it', async () => {
  const offerId = await createSoldOffer(owner, courseId, { seats: 1 })
  const placed = await byTransfer(offerId)
  await confirm(placed)
  const { items } = await listOrders(owner, ListOrders.parse({ offerId }))
  expect(items[0]?.reservedUntil?.getTime()).toBeGreaterThan(after(6 * DAY_MS).getTime())
  await expect(async () => releaseOrder(home.as.EXPERT, { orderId: placed.id })).rejects.toMatchObject({
    code: 'forbidden',
  })
  await expect(releaseOrder(other.as.OWNER, { orderId: placed.id })).rejects.toMatchObject({ code: 'not_found' })
  await releaseOrder(owner, { orderId: placed.id })
  await releaseOrder(owner, { orderId: placed.id })
  expect(await auditedActions(owner, placed.id)).toEqual(['order.released'])
  expect(await readOrder(home.tenant.id, placed.publicId)).toMatchObject({ state: 'canceled', reservedUntil: null })
  await expect(byTransfer(offerId)).resolves.toMatchObject({ state: 'awaiting_payment' })
})
