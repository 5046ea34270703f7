import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { inTenant, pool } from '#lib/core/db/db.ts'
import { DAY_MS } from '#lib/core/shared/time.ts'
import { handleCallback } from '#lib/payment/callback.ts'
import { getPayment, listPaymentEvents, listPayments, type Payment } from '#lib/payment/payment.ts'
import { pollStuckPayments } from '#lib/payment/poll.ts'
import { liqpay } from '#lib/payment/providers/liqpay.ts'
import { referenceOf } from '#lib/payment/reference.ts'
import { refundPayment } from '#lib/payment/refund.ts'
import { startPayment } from '#lib/payment/start.ts'
import { cancelSubscription } from '#lib/payment/subscription.ts'
import { payment } from '#lib/payment/table.ts'
import {
  LIQPAY_KEYS,
  type LiqpayServer,
  liqpayCallback,
  signLiqpay,
  startLiqpayServer,
} from '../../../setup/payment/liqpay-server.ts'
import { addPayment, enableProvider, type RecordingPurposes, recordPurposes } from '../../../setup/payment/purposes.ts'
import { createTestTenant, type TestTenant } from '../../../setup/tenants.ts'

let home: TestTenant
let server: LiqpayServer
let row: Payment
let recording: RecordingPurposes

beforeAll(async () => {
  server = await startLiqpayServer()
  home = await createTestTenant()
  await enableProvider(home, 'liqpay', LIQPAY_KEYS)
})
beforeEach(async () => {
  await pool.query('delete from throttle')
  server.isDown = false
  recording = recordPurposes()
  row = await addPayment(home, { provider: 'liqpay' })
})
afterAll(async () => {
  await server.stop()
  await pool.end()
})

const ACCOUNT = { keys: LIQPAY_KEYS, isTest: false }
const fieldsOf = (values: Record<string, string | number> = {}) => ({
  action: 'pay',
  payment_id: 1_234_567,
  status: 'success',
  order_id: referenceOf(row),
  amount: 1200.5,
  currency: 'UAH',
  sender_card_mask2: '424242*42',
  ...values,
})
const send = (values: Record<string, string | number> = {}, privateKey?: string) =>
  handleCallback(recording.purposes, {
    provider: 'liqpay',
    account: home.tenant.id,
    body: liqpayCallback(fieldsOf(values), privateKey),
    headers: new Headers(),
  })
const now = () => getPayment(home.tenant.id, row.id)

test('the keys of a school do not confirm what the installation receives for a plan', async () => {
  await inTenant({ tenantId: home.tenant.id }, (tx) =>
    tx.update(payment).set({ purpose: 'plan' }).where(eq(payment.id, row.id)),
  )
  expect(await send()).toMatchObject({ status: 200 })
  expect(await now()).toMatchObject({ status: 'new', paidAt: null })
  expect(recording.applied).toEqual([])
  const [event] = await inTenant({ tenantId: home.tenant.id }, (tx) => listPaymentEvents(tx, 'plan', [row.purposeId]))
  expect(event).toMatchObject({ outcome: 'rejected', problem: 'provider' })
})

test('the signature is that of the vendor’s SDK', async () => {
  // test_signature_generation of liqpay/sdk-python.
  const json =
    '{"action": "pay", "amount": "10", "currency": "USD", "description": "Test Order", "language": "en", "order_id": "123456", "public_key": "your_public_key", "version": 3}'
  const data = Buffer.from(json).toString('base64')
  const signature = 'x4uWEaw2f35T0IoiVfECyKsbIeY='
  const account = { keys: { publicKey: 'your_public_key', privateKey: 'your_private_key' }, isTest: false }
  expect(signLiqpay(data, 'your_private_key')).toBe(signature)
  const callback = { body: new URLSearchParams({ data, signature }).toString(), headers: {} }
  expect(await liqpay.verifyCallback(account, callback)).toBe(true)
  expect(await liqpay.verifyCallback(ACCOUNT, callback)).toBe(false)
})

test('the buyer posts a signed form with our order, amount and addresses', async () => {
  const { step } = await startPayment(referenceOf(row), 'uk')
  if (step?.kind !== 'form') throw new Error('no form')
  const { data = '', signature } = Object.fromEntries(step.fields)
  expect(step.action).toBe('https://www.liqpay.ua/api/3/checkout')
  expect(signature).toBe(signLiqpay(data))
  expect(JSON.parse(Buffer.from(data, 'base64').toString())).toEqual({
    version: 3,
    public_key: LIQPAY_KEYS.publicKey,
    action: 'pay',
    amount: '1200.50',
    currency: 'UAH',
    description: row.description,
    order_id: referenceOf(row),
    server_url: expect.stringMatching(new RegExp(`/v1/payment/callback/liqpay/${home.tenant.id}$`)),
    result_url: expect.stringMatching(new RegExp(`/v1/payment/return/${referenceOf(row)}$`)),
    language: 'uk',
  })
})

test.for([
  ['success', 'success'],
  ['failure', 'error'],
  ['error', 'error'],
  ['processing', 'pending'],
  ['3ds_verify', 'pending'],
  ['otp_verify', 'pending'],
  ['wait_accept', 'pending'],
  ['wait_compensation', 'success'],
  ['try_again', 'error'],
  ['wait_secure', 'pending'],
  ['hold_wait', 'pending'],
] as const)('%s becomes %s', async ([status, ours]) => {
  expect(await send({ status })).toMatchObject({ status: 200 })
  expect((await now()).status).toBe(ours)
})

test('a payment that waits for the activation of the school is polled until it ends', async () => {
  await send({ status: 'processing' })
  await send({ status: 'wait_accept' })
  expect(await now()).toMatchObject({ status: 'pending', providerStatus: 'wait_accept' })
  server.orders.set(referenceOf(row), { status: 'wait_accept', amount: 1200.5, currency: 'UAH' })
  const polled = async (days: number) => {
    const at = new Date(Date.now() + days * DAY_MS)
    await inTenant(row, (tx) => tx.update(payment).set({ nextPollAt: at }).where(eq(payment.id, row.id)))
    await pollStuckPayments(recording.purposes, at)
    return (await now()).nextPollAt
  }
  expect(await polled(60)).not.toBeNull()
  expect(recording.applied.filter(({ payment: applied }) => applied.status !== 'pending')).toEqual([])
  server.orders.set(referenceOf(row), { status: 'success', amount: 1200.5, currency: 'UAH' })
  await polled(61)
  expect(await now()).toMatchObject({ status: 'success', providerStatus: null, nextPollAt: null })
})

test('an unknown status keeps the payment open, and staff see it', async () => {
  await send({ status: 'wait_moon' })
  expect(await now()).toMatchObject({ status: 'pending', providerStatus: 'wait_moon' })
  const events = await inTenant(row, (tx) => listPaymentEvents(tx, 'order', [row.purposeId]))
  expect(events).toMatchObject([{ problem: 'status', providerStatus: 'wait_moon' }])
})

test.for([
  ['another amount', { amount: 1 }],
  ['another currency', { currency: 'USD' }],
  ['a payment of a test account', { status: 'sandbox' }],
  ['a subscription that was not asked for', { status: 'subscribed', action: 'subscribe' }],
] as const)('%s is not accepted', async ([, values]) => {
  await send(values)
  expect((await now()).status).toBe('new')
  expect(recording.applied).toEqual([])
})

test('a callback that was signed with another key is refused', async () => {
  await expect(send({}, 'f'.repeat(40))).rejects.toMatchObject({ code: 'unauthorized' })
  expect((await now()).status).toBe('new')
})

test('a refund is requested and known; one made in the cabinet of LiqPay is recorded', async () => {
  server.orders.set(referenceOf(row), { status: 'success', amount: 1200.5, currency: 'UAH' })
  await send()
  const request = { tenantId: home.tenant.id, paymentId: row.id, note: 'Помилка', by: home.as.OWNER.membershipId }
  expect(await refundPayment(recording.purposes.order, { ...request, amount: 20_050 })).toMatchObject({
    status: 'success',
  })
  await send({ status: 'reversed', refund_amount: 200.5 })
  await send({ status: 'reversed', refund_amount: 1200.5 })
  const refunds = (
    await inTenant({ tenantId: home.tenant.id }, (tx) => listPayments(tx, 'order', [row.purposeId]))
  ).slice(1)
  expect(refunds.map(({ kind, status, amount }) => [kind, status, amount])).toEqual([
    ['refund', 'success', 20_050],
    ['refund', 'success', 100_000],
  ])
})

test('a refund whose outcome is unknown is asked for later and counted once', async () => {
  server.orders.set(referenceOf(row), { status: 'success', amount: 1200.5, currency: 'UAH' })
  await send()
  server.isDown = true
  const request = { tenantId: home.tenant.id, paymentId: row.id, note: '', by: home.as.OWNER.membershipId }
  expect(await refundPayment(recording.purposes.order, { ...request, amount: 120_050 })).toMatchObject({
    status: 'pending',
  })
  await expect(refundPayment(recording.purposes.order, { ...request, amount: 1 })).rejects.toMatchObject({
    code: 'unprocessable',
  })
  server.isDown = false
  server.orders.set(referenceOf(row), { status: 'reversed', amount: 1200.5, currency: 'UAH' })
  await pollStuckPayments(recording.purposes, new Date(Date.now() + 16 * 60_000))
  expect(
    recording.applied.filter(({ payment: { kind, status } }) => kind === 'refund' && status === 'success'),
  ).toHaveLength(1)
})

test('a payment whose callback was lost is found out by asking', async () => {
  await startPayment(referenceOf(row), 'uk')
  server.orders.set(referenceOf(row), { status: 'success', amount: 1200.5, currency: 'UAH', action: 'pay' })
  await pollStuckPayments(recording.purposes)
  expect((await now()).status).toBe('new')
  await pollStuckPayments(recording.purposes, new Date(Date.now() + 16 * 60_000))
  expect((await now()).status).toBe('success')
  expect(recording.applied).toHaveLength(1)
})

test('a subscription is charged by LiqPay: each charge is stored once, whichever message comes first', async () => {
  row = await addPayment(home, { provider: 'liqpay', period: { unit: 'month', count: 1 } })
  await expect(addPayment(home, { provider: 'liqpay', period: { unit: 'week', count: 1 } })).rejects.toMatchObject({
    code: 'unprocessable',
  })
  const charge = { action: 'regular', payment_id: 11 }
  await send(charge)
  await send({ action: 'subscribe', status: 'subscribed', payment_id: 10 })
  await send(charge)
  await send({ action: 'regular', payment_id: 12, status: 'failure' })
  await send({ action: 'regular', payment_id: 13 })
  server.orders.set(referenceOf(row), { status: 'subscribed', amount: 1200.5, currency: 'UAH' })
  await cancelSubscription(recording.purposes.order, { tenantId: home.tenant.id, paymentId: row.id })
  await send({ action: 'subscribe', status: 'subscribed', payment_id: 10 })
  const all = await inTenant({ tenantId: home.tenant.id }, (tx) => listPayments(tx, 'order', [row.purposeId]))
  expect(all.map(({ status, providerRef }) => [status, providerRef])).toEqual([
    ['canceled', null],
    ['success', '11'],
    ['error', '12'],
    ['success', '13'],
  ])
  expect(server.orders.get(referenceOf(row))).toMatchObject({ status: 'unsubscribed' })
})

test('keys are checked with LiqPay', async () => {
  expect(await liqpay.checkKeys(ACCOUNT)).toBe(true)
  expect(await liqpay.checkKeys({ ...ACCOUNT, keys: { ...LIQPAY_KEYS, privateKey: 'wrong' } })).toBe(false)
})
