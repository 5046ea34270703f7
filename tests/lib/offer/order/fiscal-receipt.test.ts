import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { inTenant, pool } from '#lib/core/db/db.ts'
import { ROLES } from '#lib/core/shared/role.ts'
import { DAY_MS, MINUTE_MS } from '#lib/core/shared/time.ts'
import { readOrderPage } from '#lib/offer/checkout/read-order.ts'
import { applyOrderPayment } from '#lib/offer/order/apply-payment.ts'
import { getOrder } from '#lib/offer/order/card.ts'
import { listOwnOrders } from '#lib/offer/order/own/own-orders.ts'
import { refundOrder } from '#lib/offer/order/refund.ts'
import { registerOrderReceipts, repeatOrderReceipt } from '#lib/offer/order/resend/resend.ts'
import { handleCallback } from '#lib/payment/callback.ts'
import { encryptFiscalKeys } from '#lib/payment/fiscal/fiscal-accounts.ts'
import { saveFiscalService, setFiscalEnabled } from '#lib/payment/fiscal/settings.ts'
import { fiscalSetting } from '#lib/payment/fiscal/table.ts'
import { listPayments } from '#lib/payment/payment.ts'
import { referenceOf } from '#lib/payment/reference.ts'
import { publishedCourse } from '../../../setup/course/groups.ts'
import { createSoldOffer, order, readOrder } from '../../../setup/offer/orders.ts'
import { CHECKBOX_KEYS, type CheckboxServer, startCheckboxServer } from '../../../setup/payment/checkbox-server.ts'
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
let checkbox: CheckboxServer
let liqpay: LiqpayServer
let offerId: string

beforeAll(async () => {
  liqpay = await startLiqpayServer()
  checkbox = await startCheckboxServer()
  home = await createTestTenant()
  other = await createOtherTenant()
  await enableProvider(home, 'liqpay', LIQPAY_KEYS)
  await save()
  offerId = await createSoldOffer(home.as.OWNER, (await publishedCourse(home.as.OWNER)).courseId)
})
beforeEach(async () => {
  await pool.query('delete from throttle')
  Object.assign(checkbox, { isDown: false, losesAnswer: false, isAsynchronous: false, shift: openShift() })
})
afterAll(async () => {
  await checkbox.stop()
  await liqpay.stop()
  await pool.end()
})

const openShift = (ageMs = 0) => ({
  id: 's1',
  status: 'OPENED' as const,
  opened_at: new Date(Date.now() - ageMs).toISOString(),
})
const save = (keys: object = CHECKBOX_KEYS, actor = home.as.OWNER) =>
  saveFiscalService(actor, { service: 'checkbox', keys })
const later = (minutes: number) => new Date(Date.now() + minutes * MINUTE_MS)

/** An order that is paid by LiqPay. */
async function paidOrder() {
  const placed = await order(home, offerId, { provider: 'liqpay' })
  const [payment] = await inTenant(placed, (tx) => listPayments(tx, 'order', [placed.id]))
  const reference = referenceOf(payment ?? placed)
  liqpay.orders.set(reference, { status: 'success', amount: 1500, currency: 'UAH' })
  await handleCallback(
    { order: applyOrderPayment, plan: async () => {} },
    {
      provider: 'liqpay',
      account: home.tenant.id,
      body: liqpayCallback({
        action: 'pay',
        order_id: reference,
        status: 'success',
        amount: 1500,
        currency: 'UAH',
        payment_id: 1,
      }),
      headers: new Headers(),
    },
  )
  return readOrder(home.tenant.id, placed.publicId)
}
const receiptsOf = async (paid: { id: string }) => (await getOrder(home.as.OWNER, { orderId: paid.id })).receipts
const sentReceipts = async (email: string) =>
  (await listEmailsTo(email, home.tenant.id)).filter(({ text }) => text.includes('https://check.checkbox.ua/'))

test('a payment gets one fiscal receipt, which the buyer finds in an email and on the order', async () => {
  const paid = await paidOrder()
  await registerOrderReceipts()
  await registerOrderReceipts(later(600))
  const [receipt, ...more] = await receiptsOf(paid)
  expect(more).toEqual([])
  expect(receipt).toMatchObject({
    kind: 'sale',
    state: 'done',
    amount: 150_000,
    fiscalCode: expect.stringMatching(/^TEST-/),
  })
  expect(checkbox.receipts.get(receipt?.id ?? '')).toMatchObject({ type: 'SELL', total_sum: 150_000 })
  expect((await readOrderPage(home.tenant.id, paid.publicId)).fiscalReceipts).toMatchObject([
    { kind: 'sale', url: `https://check.checkbox.ua/${receipt?.id}` },
  ])
  expect(await sentReceipts(paid.email)).toHaveLength(1)
  const buyer = { ...home.as.STUDENT, email: paid.email }
  const { items } = await listOwnOrders(buyer, { cursor: undefined, limit: 10 })
  expect(items.map(({ receipts }) => receipts)).toEqual([
    [{ kind: 'sale', url: `https://check.checkbox.ua/${receipt?.id}` }],
  ])
})

test('a refund gets a return that names the sale, also when both are registered together', async () => {
  const paid = await paidOrder()
  await refundOrder(home.as.OWNER, { orderId: paid.id, amount: 50_000, reason: 'Знижка', access: 'keep' })
  await registerOrderReceipts()
  await registerOrderReceipts(later(5))
  const [sale, back] = await receiptsOf(paid)
  expect(back).toMatchObject({ kind: 'return', state: 'done', amount: 50_000 })
  expect(checkbox.receipts.get(back?.id ?? '')).toMatchObject({ type: 'RETURN', related_receipt_id: sale?.id })
})

test('a lost answer and a slow service register one receipt', async () => {
  checkbox.losesAnswer = true
  const paid = await paidOrder()
  const count = checkbox.receipts.size
  await registerOrderReceipts()
  expect((await receiptsOf(paid))[0]).toMatchObject({ state: 'waiting' })
  await registerOrderReceipts(later(5))
  checkbox.isAsynchronous = true
  const slow = await paidOrder()
  await registerOrderReceipts()
  await registerOrderReceipts(later(5))
  expect([(await receiptsOf(paid))[0]?.state, (await receiptsOf(slow))[0]?.state]).toEqual(['done', 'done'])
  expect(checkbox.receipts.size).toBe(count + 2)
})

test('two processes register one receipt', async () => {
  const paid = await paidOrder()
  const count = checkbox.receipts.size
  await Promise.all([registerOrderReceipts(), registerOrderReceipts()])
  expect(checkbox.receipts.size).toBe(count + 1)
  expect(await sentReceipts(paid.email)).toHaveLength(1)
})

test('a shift is opened until the end of the day, and one of yesterday is closed first', async () => {
  checkbox.shift = openShift(DAY_MS)
  const paid = await paidOrder()
  await registerOrderReceipts()
  expect(checkbox.shift).toBeNull()
  await registerOrderReceipts(later(5))
  expect(checkbox.shift).toMatchObject({ status: 'CREATED' })
  await registerOrderReceipts(later(10))
  expect((await receiptsOf(paid))[0]?.state).toBe('done')
})

test('a refused receipt shows why, and staff register it again', async () => {
  const paid = await paidOrder()
  await setPin('0000')
  await registerOrderReceipts()
  const [refused] = await receiptsOf(paid)
  expect(refused).toMatchObject({ state: 'failed', failure: 'Checkbox does not accept the keys' })
  await setPin(CHECKBOX_KEYS.pinCode)
  const input = { orderId: paid.id, receiptId: refused?.id ?? '' }
  await expect(repeatOrderReceipt(home.as.EXPERT, input)).rejects.toMatchObject({ code: 'forbidden' })
  await expect(repeatOrderReceipt(other.as.OWNER, input)).rejects.toMatchObject({ code: 'not_found' })
  await repeatOrderReceipt(home.as.DIRECTOR, input)
  await registerOrderReceipts()
  expect((await receiptsOf(paid))[0]?.state).toBe('done')
  await expect(repeatOrderReceipt(home.as.DIRECTOR, input)).rejects.toMatchObject({ code: 'not_found' })
})

test('while the service is turned off there is no receipt', async () => {
  await setFiscalEnabled(home.as.OWNER, { service: 'checkbox', isEnabled: false })
  const paid = await paidOrder()
  await setFiscalEnabled(home.as.OWNER, { service: 'checkbox', isEnabled: true })
  expect(await receiptsOf(paid)).toEqual([])
})

test('keys are accepted by the service, stored encrypted and managed by the owner only', async () => {
  await expect(save({ ...CHECKBOX_KEYS, pinCode: '1111' })).rejects.toMatchObject({
    details: { fields: { form: ['payment_keys_refused'] } },
  })
  await expect(save({ licenseKey: 'short' })).rejects.toMatchObject({ details: { fields: { licenseKey: ['format'] } } })
  checkbox.isDown = true
  await expect(save()).rejects.toMatchObject({ code: 'unavailable' })
  checkbox.isDown = false
  for (const role of ROLES) {
    const isAccepted = await save({ taxCode: '8' }, home.as[role]).then(
      () => true,
      () => false,
    )
    expect([role, isAccepted]).toEqual([role, role === 'OWNER'])
  }
  const [row] = await inTenant({ tenantId: home.tenant.id }, (tx) => tx.select().from(fiscalSetting))
  expect(row).toMatchObject({ isEnabled: true, isTest: true })
  expect(row?.keys).not.toContain(CHECKBOX_KEYS.pinCode)
})

/** Another PIN that was valid when it was saved. */
async function setPin(pinCode: string): Promise<void> {
  await inTenant({ tenantId: home.tenant.id }, (tx) =>
    tx
      .update(fiscalSetting)
      .set({ keys: encryptFiscalKeys({ ...CHECKBOX_KEYS, pinCode }) })
      .where(eq(fiscalSetting.service, 'checkbox')),
  )
}
