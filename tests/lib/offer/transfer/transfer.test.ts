import { afterAll, beforeAll, expect, test } from 'vitest'
import { inTenant, pool } from '#lib/core/db/db.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { ROLES } from '#lib/core/shared/role.ts'
import { DAY_MS, HOUR_MS } from '#lib/core/shared/time.ts'
import { payAgain, readOrderPage } from '#lib/offer/checkout/read-order.ts'
import { getOrder } from '#lib/offer/order/card.ts'
import { expireOrders } from '#lib/offer/order/due-orders.ts'
import { confirmOrderTransfer } from '#lib/offer/transfer/confirm.ts'
import { printInvoice } from '#lib/offer/transfer/invoice.ts'
import { listPayments } from '#lib/payment/payment.ts'
import { saveProvider } from '#lib/payment/provider-settings.ts'
import { auditedActions } from '../../../setup/audit.ts'
import { publishedCourse } from '../../../setup/course/groups.ts'
import { createSoldOffer, currentGrants, order, readOrder } from '../../../setup/offer/orders.ts'
import { createOtherTenant, createTestTenant, type TestTenant } from '../../../setup/tenants.ts'

const KEYS = { recipient: 'ТОВ «Школа»', iban: 'UA21 3223 1300 0002 6007 2335 6600 1', taxId: '12345678' }

let home: TestTenant
let other: TestTenant
let owner: Actor
let offerId: string
beforeAll(async () => {
  home = await createTestTenant()
  other = await createOtherTenant()
  owner = home.as.OWNER
  await pool.query('delete from throttle')
  await saveProvider(owner, { provider: 'bank', keys: KEYS, isTest: true })
  offerId = await createSoldOffer(owner, (await publishedCourse(owner)).courseId, { seats: 100 })
})
afterAll(() => pool.end())

const place = (change: object = {}) => order(home, offerId, { provider: 'bank', ...change })
const paymentOf = async (placed: { tenantId: string; id: string }) => {
  const [first] = await inTenant(placed, (tx) => listPayments(tx, 'order', [placed.id]))
  return first?.id ?? ''
}
const confirm = async (actor: Actor, placed: { tenantId: string; id: string }) =>
  confirmOrderTransfer(actor, { orderId: placed.id, paymentId: await paymentOf(placed) })

test('the account is refused next to its field unless the check digits are right', async () => {
  const wrong = { ...KEYS, iban: 'UA21 3223 1300 0002 6007 2335 6600 2', taxId: '123', recipient: '' }
  await expect(saveProvider(owner, { provider: 'bank', keys: wrong, isTest: false })).rejects.toMatchObject({
    code: 'invalid',
    details: { fields: { iban: ['iban_format'], taxId: ['tax_id_format'], recipient: ['required'] } },
  })
})

test('an order by transfer is reserved for seven days and shows account and amount', async () => {
  const placed = await place()
  expect((placed.expiresAt?.getTime() ?? 0) - placed.createdAt.getTime()).toBe(7 * DAY_MS)
  const page = await readOrderPage(home.tenant.id, placed.publicId)
  expect(page).toMatchObject({
    payment: { state: 'none' },
    transfer: { recipient: 'ТОВ «Школа»', iban: 'UA213223130000026007233566001', taxId: '12345678', amount: 150_000 },
  })
  const { bytes } = await printInvoice(home.tenant.id, placed.publicId, 'uk')
  expect(new TextDecoder('latin1').decode(bytes.slice(0, 5))).toBe('%PDF-')
  await expect(printInvoice(other.tenant.id, placed.publicId, 'uk')).rejects.toMatchObject({ code: 'not_found' })
})

test('staff confirm the transfer: access is given once, however often and concurrently they do', async () => {
  const placed = await place()
  const outcomes = await Promise.all([
    confirm(owner, placed),
    confirm(home.as.DIRECTOR, placed),
    confirm(owner, placed),
  ])
  expect(outcomes.filter(({ isConfirmed }) => isConfirmed)).toHaveLength(1)
  const paid = await readOrder(home.tenant.id, placed.publicId)
  expect(paid).toMatchObject({ state: 'paid', paidAmount: 150_000 })
  expect(await currentGrants(home.tenant.id, paid.studentId ?? '')).toHaveLength(1)
  expect(await auditedActions(owner, placed.id)).toEqual(['order.transfer_confirmed'])
  const card = await getOrder(owner, { orderId: placed.id })
  expect(card.transfer).toBeNull()
  expect(card.timeline.filter(({ kind }) => kind === 'transfer')).toMatchObject([{ by: expect.stringMatching(/Тест/) }])
  await expect(printInvoice(home.tenant.id, placed.publicId, 'uk')).rejects.toMatchObject({ code: 'not_found' })
})

test('a transfer that arrives after the invoice has expired gives access nevertheless', async () => {
  const placed = await place()
  await expireOrders(new Date(placed.createdAt.getTime() + 7 * DAY_MS + HOUR_MS))
  expect(await readOrder(home.tenant.id, placed.publicId)).toMatchObject({ state: 'expired' })
  expect(await confirm(owner, placed)).toEqual({ isConfirmed: true })
  expect(await readOrder(home.tenant.id, placed.publicId)).toMatchObject({ state: 'paid' })
})

test('a buyer who chooses the transfer later has seven days from the order, not more', async () => {
  await inTenant(owner, (tx) =>
    tx.execute(`update payment_provider_setting set is_test = true where provider = 'bank'`),
  )
  const placed = await order(home, offerId, { provider: 'sandbox' })
  const visitor = { tenantId: home.tenant.id, address: '10.8.0.9' }
  const at = new Date(placed.createdAt.getTime() + 60_000)
  for (let each = 0; each < 2; each += 1) await payAgain(visitor, { publicId: placed.publicId, provider: 'bank' }, at)
  const { expiresAt } = await readOrder(home.tenant.id, placed.publicId)
  expect((expiresAt?.getTime() ?? 0) - placed.createdAt.getTime()).toBe(7 * DAY_MS)
})

test('only owners and directors of the own school confirm, and only a transfer of this order', async () => {
  const placed = await place()
  const answers: Record<string, string> = {}
  for (const role of ROLES) {
    if (role === 'OWNER' || role === 'DIRECTOR') continue
    answers[role] = await confirm(home.as[role], placed).then(
      () => 'confirmed',
      ({ code }: { code: string }) => code,
    )
  }
  expect(new Set(Object.values(answers))).toEqual(new Set(['forbidden']))
  const input = { orderId: placed.id, paymentId: await paymentOf(placed) }
  await expect(confirmOrderTransfer(other.as.OWNER, input)).rejects.toMatchObject({ code: 'not_found' })
  const another = { orderId: placed.id, paymentId: await paymentOf(await place()) }
  await expect(confirmOrderTransfer(owner, another)).rejects.toMatchObject({ code: 'not_found' })
  await expect(async () => confirmOrderTransfer({ ...owner, plans: [] }, input)).rejects.toMatchObject({
    code: 'plan_inactive',
  })
  expect(await readOrder(home.tenant.id, placed.publicId)).toMatchObject({ state: 'awaiting_payment' })
})
