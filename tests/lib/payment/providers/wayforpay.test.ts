import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { inTenant, pool } from '#lib/core/db/db.ts'
import { handleCallback } from '#lib/payment/callback.ts'
import { getPayment, listPaymentEvents, listPayments, type Payment } from '#lib/payment/payment.ts'
import { pollStuckPayments } from '#lib/payment/poll.ts'
import { wayforpay } from '#lib/payment/providers/wayforpay.ts'
import { referenceOf } from '#lib/payment/reference.ts'
import { refundPayment } from '#lib/payment/refund.ts'
import { startPayment } from '#lib/payment/start.ts'
import { chargeSubscription } from '#lib/payment/subscription.ts'
import { addPayment, enableProvider, type RecordingPurposes, recordPurposes } from '../../../setup/payment/purposes.ts'
import {
  signWayforpay,
  startWayforpayServer,
  WAYFORPAY_KEYS,
  type WayforpayServer,
  wayforpayReport,
} from '../../../setup/payment/wayforpay-server.ts'
import { createTestTenant, type TestTenant } from '../../../setup/tenants.ts'

let home: TestTenant
let server: WayforpayServer
let row: Payment
let recording: RecordingPurposes

beforeAll(async () => {
  server = await startWayforpayServer()
  home = await createTestTenant()
  await enableProvider(home, 'wayforpay', WAYFORPAY_KEYS)
})
beforeEach(async () => {
  await pool.query('delete from throttle')
  server.isDown = false
  recording = recordPurposes()
  row = await addPayment(home, { provider: 'wayforpay' })
})
afterAll(async () => {
  await server.stop()
  await pool.end()
})

type Fields = Record<string, string | number>
const ACCOUNT = { keys: WAYFORPAY_KEYS, isTest: false }
const reportOf = (values: Fields = {}, secret?: string) =>
  wayforpayReport(
    { orderReference: referenceOf(row), amount: 1200.5, currency: 'UAH', transactionStatus: 'Approved', ...values },
    secret,
  )
const sendBody = (body: string) =>
  handleCallback(recording.purposes, { provider: 'wayforpay', account: home.tenant.id, body, headers: new Headers() })
const send = (values?: Fields, secret?: string) => sendBody(JSON.stringify(reportOf(values, secret)))
const now = () => getPayment(home.tenant.id, row.id)
const listed = () => inTenant({ tenantId: home.tenant.id }, (tx) => listPayments(tx, 'order', [row.purposeId]))

test('the signature is that of the documented purchase of the test account', () => {
  const names = ['Процесор Intel Core i5-4670 3.4GHz', "Пам'ять Kingston DDR3-1600 4096MB PC3-12800"]
  const order = ['test_merch_n1', 'www.market.ua', 'DH783023', 1_415_379_863, 1547.36, 'UAH']
  expect(signWayforpay([...order, ...names, 1, 1, 1000, 547.36])).toBe('ee828f71ed93441c07eb3eef67762a5c')
})

test('the buyer posts a signed form with our order, amount and addresses', async () => {
  const { step } = await startPayment(referenceOf(row), 'uk')
  if (step?.kind !== 'form') throw new Error('no form')
  const form = Object.fromEntries(step.fields)
  expect(step.action).toBe('https://secure.wayforpay.com/pay')
  expect(form).toMatchObject({
    merchantAccount: 'school_shop',
    merchantDomainName: `${home.tenant.subdomain}.kafedra.localhost`,
    orderReference: referenceOf(row),
    amount: '1200.50',
    currency: 'UAH',
    'productName[]': row.description,
    'productPrice[]': '1200.50',
    language: 'UA',
  })
  const names = ['merchantAccount', 'merchantDomainName', 'orderReference', 'orderDate', 'amount', 'currency']
  const signed = [...names, 'productName[]', 'productCount[]', 'productPrice[]'].map((name) => form[name])
  expect(form.merchantSignature).toBe(signWayforpay(signed))
})

test('a paid callback gets the signed answer that WayForPay waits for', async () => {
  const answer = await send()
  const { orderReference, status, time, signature } = JSON.parse(answer.body)
  expect({ orderReference, status }).toEqual({ orderReference: referenceOf(row), status: 'accept' })
  expect(signature).toBe(signWayforpay([orderReference, 'accept', time]))
  expect(await now()).toMatchObject({ status: 'success', cardMask: '41****8217' })
})

test('a callback that is declared as a form is read too', async () => {
  await sendBody(`${encodeURIComponent(JSON.stringify(reportOf()))}=`)
  expect((await now()).status).toBe('success')
})

test.for([
  ['Approved', 'success'],
  ['Declined', 'error'],
  ['Expired', 'canceled'],
  ['Voided', 'canceled'],
  ['InProcessing', 'pending'],
  ['Pending', 'pending'],
  ['WaitingAuthComplete', 'pending'],
] as const)('%s becomes %s', async ([transactionStatus, ours]) => {
  await send({ transactionStatus })
  expect((await now()).status).toBe(ours)
})

test.for(['1200.50', '1200.5', '1200.500', '1.2005e3', '12005e-1', '"1200.50"'])(
  'the signature covers the amount as it is written: %s',
  async (amount) => {
    const text = amount.replaceAll('"', '')
    const { merchantSignature, ...report } = reportOf({ amount: text })
    const body = JSON.stringify({ ...report, merchantSignature }).replace(`"amount":"${text}"`, `"amount":${amount}`)
    await sendBody(body)
    expect((await now()).status).toBe('success')
  },
)

test('an amount that is written in full and signed in its shortest form is accepted, another one is not', async () => {
  const body = (amount: string) => JSON.stringify(reportOf()).replace('"amount":1200.5', `"amount":${amount}`)
  await expect(sendBody(body('1200.51'))).rejects.toMatchObject({ code: 'unauthorized' })
  await sendBody(body('1200.50'))
  expect((await now()).status).toBe('success')
})

test('an unknown status changes neither money nor access, and staff see it', async () => {
  await send()
  await send({ transactionStatus: 'Chargeback' })
  expect((await now()).status).toBe('success')
  expect(recording.applied).toHaveLength(1)
  const events = await inTenant({ tenantId: home.tenant.id }, (tx) => listPaymentEvents(tx, 'order', [row.purposeId]))
  expect(events.at(-1)).toMatchObject({ outcome: 'outdated', problem: 'status', providerStatus: 'Chargeback' })
})

test('a refund whose amount cannot be read is not taken for the complete payment', async () => {
  await send()
  await send({ transactionStatus: 'Refunded', refundAmount: '10.001' })
  expect(recording.applied).toHaveLength(1)
})

test.for([
  ['another amount', { amount: 1 }],
  ['another currency', { currency: 'USD' }],
] as const)('%s is not accepted', async ([, values]) => {
  await send(values)
  expect((await now()).status).toBe('new')
})

test('a wrong secret, another account and a changed field are refused', async () => {
  await expect(send({}, 'another-secret')).rejects.toMatchObject({ code: 'unauthorized' })
  await expect(send({ merchantAccount: 'other_shop' })).rejects.toMatchObject({ code: 'unauthorized' })
  const changed = { ...reportOf({ transactionStatus: 'Declined' }), transactionStatus: 'Approved' }
  await expect(sendBody(JSON.stringify(changed))).rejects.toMatchObject({ code: 'unauthorized' })
  await expect(sendBody('nothing')).rejects.toMatchObject({ code: 'unauthorized' })
  expect((await now()).status).toBe('new')
})

test('a partial refund and its callback, which names the amount of the order, are one refund', async () => {
  await send()
  server.transactions.set(referenceOf(row), { amount: 1200.5, currency: 'UAH', transactionStatus: 'Approved' })
  const request = { tenantId: home.tenant.id, paymentId: row.id, amount: 20_050, note: 'Помилка' }
  await refundPayment(recording.purposes.order, { ...request, by: home.as.OWNER.membershipId })
  await send({ transactionStatus: 'Refunded' })
  expect((await listed()).map(({ kind, status, amount }) => [kind, status, amount])).toEqual([
    ['once', 'success', 120_050],
    ['refund', 'success', 20_050],
  ])
})

test('a refund made in the cabinet of WayForPay is recorded in full', async () => {
  await send()
  await send({ transactionStatus: 'Refunded' })
  await send({ transactionStatus: 'Refunded' })
  expect((await listed()).map(({ kind, amount }) => [kind, amount])).toEqual([
    ['once', 120_050],
    ['refund', 120_050],
  ])
})

test('a lost callback is found out by asking, and an answer without a valid signature is not believed', async () => {
  await startPayment(referenceOf(row), 'uk')
  const later = (minutes: number) => new Date(Date.now() + minutes * 60_000)
  server.isDown = true
  await pollStuckPayments(recording.purposes, later(16))
  expect((await now()).status).toBe('new')
  server.isDown = false
  server.transactions.set(referenceOf(row), {
    amount: 1200.5,
    currency: 'UAH',
    transactionStatus: 'Approved',
    merchantAccount: 'other_shop',
  })
  await pollStuckPayments(recording.purposes, later(60))
  expect((await now()).status).toBe('new')
  server.transactions.set(referenceOf(row), { amount: 1200.5, currency: 'UAH', transactionStatus: 'Approved' })
  await pollStuckPayments(recording.purposes, later(180))
  expect((await now()).status).toBe('success')
})

test('the saved card of a subscription is charged', async () => {
  row = await addPayment(home, { provider: 'wayforpay', period: { unit: 'week', count: 2 } })
  await send({ recToken: 'saved-card' })
  const request = { tenantId: home.tenant.id, paymentId: row.id, amount: 120_050 }
  expect(await chargeSubscription(recording.purposes.order, { ...request, onceKey: '2' })).toMatchObject({
    status: 'success',
  })
  expect((await listed()).map(({ status }) => status)).toEqual(['subscribed', 'success', 'success'])
  expect(row.cardToken).toBeNull()
  expect((await now()).cardToken).not.toContain('saved-card')
})

test('a refused charge says why', async () => {
  row = await addPayment(home, { provider: 'wayforpay', period: { unit: 'month', count: 1 } })
  await send({ recToken: 'another-card' })
  const request = { tenantId: home.tenant.id, paymentId: row.id, amount: 120_050, onceKey: '2' }
  expect(await chargeSubscription(recording.purposes.order, request)).toMatchObject({
    status: 'error',
    failure: 'Token not found',
  })
})

test('keys are checked with WayForPay', async () => {
  expect(await wayforpay.checkKeys(ACCOUNT)).toBe(true)
  expect(await wayforpay.checkKeys({ ...ACCOUNT, keys: { ...WAYFORPAY_KEYS, secretKey: 'wrong' } })).toBe(false)
})
