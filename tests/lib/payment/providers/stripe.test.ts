import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { inTenant, pool } from '#lib/core/db/db.ts'
import { handleCallback } from '#lib/payment/callback.ts'
import { getPayment, listPayments, type Payment } from '#lib/payment/payment.ts'
import { pollStuckPayments } from '#lib/payment/poll.ts'
import { stripe } from '#lib/payment/providers/stripe.ts'
import { referenceOf } from '#lib/payment/reference.ts'
import { refundPayment } from '#lib/payment/refund.ts'
import { startPayment } from '#lib/payment/start.ts'
import { chargeSubscription } from '#lib/payment/subscription.ts'
import { addPayment, enableProvider, type RecordingPurposes, recordPurposes } from '../../../setup/payment/purposes.ts'
import {
  STRIPE_KEYS,
  type StripeServer,
  startStripeServer,
  stripeWebhook,
} from '../../../setup/payment/stripe-server.ts'
import { createTestTenant, type TestTenant } from '../../../setup/tenants.ts'

let home: TestTenant
let server: StripeServer
let row: Payment
let recording: RecordingPurposes

beforeAll(async () => {
  server = await startStripeServer()
  home = await createTestTenant()
  await enableProvider(home, 'stripe', STRIPE_KEYS)
})
beforeEach(async () => {
  await pool.query('delete from throttle')
  server.isDown = false
  recording = recordPurposes()
  row = await addPayment(home, { provider: 'stripe' })
})
afterAll(async () => {
  await server.stop()
  await pool.end()
})

const ACCOUNT = { keys: STRIPE_KEYS, isTest: false }
const sessionOf = (values: Record<string, unknown> = {}) => ({
  id: 'cs_live_0',
  object: 'checkout.session',
  payment_status: 'paid',
  amount_total: 120_050,
  currency: 'uah',
  metadata: { reference: referenceOf(row) },
  ...values,
})
const deliver = ({ body, headers }: { body: string; headers: Record<string, string> }) =>
  handleCallback(recording.purposes, {
    provider: 'stripe',
    account: home.tenant.id,
    body,
    headers: new Headers(headers),
  })
const send = (type: string, values?: Record<string, unknown>, options?: Parameters<typeof stripeWebhook>[2]) =>
  deliver(stripeWebhook(type, sessionOf(values), options))
const chargeOf = (returned: number) => ({
  object: 'charge',
  amount: 120_050,
  amount_refunded: returned,
  livemode: true,
})
const now = () => getPayment(home.tenant.id, row.id)
const listed = () => inTenant({ tenantId: home.tenant.id }, (tx) => listPayments(tx, 'order', [row.purposeId]))
const refund = (amount: number) =>
  refundPayment(recording.purposes.order, {
    tenantId: home.tenant.id,
    paymentId: row.id,
    amount,
    note: '',
    by: home.as.OWNER.membershipId,
  })

test('the buyer goes to one checkout session with our order, amount and addresses', async () => {
  const { step } = await startPayment(referenceOf(row), 'uk')
  await startPayment(referenceOf(row), 'uk')
  expect(step).toMatchObject({ kind: 'redirect', url: expect.stringContaining('https://checkout.stripe.com/') })
  const created = server.requests.filter(({ body }) => body.includes(referenceOf(row)))
  expect(created).toHaveLength(1)
  expect(Object.fromEntries(new URLSearchParams(created[0]?.body))).toMatchObject({
    mode: 'payment',
    client_reference_id: referenceOf(row),
    'line_items[0][price_data][unit_amount]': '120050',
    'line_items[0][price_data][currency]': 'uah',
    success_url: expect.stringContaining(`/v1/payment/return/${referenceOf(row)}`),
  })
})

test.for([
  ['checkout.session.completed', 'paid', 'success'],
  ['checkout.session.completed', 'unpaid', 'pending'],
  ['checkout.session.async_payment_succeeded', 'paid', 'success'],
  ['checkout.session.async_payment_failed', 'unpaid', 'error'],
  ['checkout.session.expired', 'unpaid', 'canceled'],
] as const)('%s (%s) becomes %s', async ([type, paymentStatus, ours]) => {
  await send(type, { payment_status: paymentStatus })
  expect((await now()).status).toBe(ours)
})

test('a signature of another secret, an old one and a changed body are refused', async () => {
  const type = 'checkout.session.completed'
  await expect(send(type, {}, { secret: 'whsec_another' })).rejects.toMatchObject({ code: 'unauthorized' })
  await expect(send(type, {}, { ageSeconds: 301 })).rejects.toMatchObject({ code: 'unauthorized' })
  const { body, headers } = stripeWebhook(type, sessionOf({ amount_total: 1 }))
  await expect(
    deliver({ body: body.replace('"amount_total":1', '"amount_total":120050'), headers }),
  ).rejects.toMatchObject({
    code: 'unauthorized',
  })
  await expect(deliver({ body, headers: {} })).rejects.toMatchObject({ code: 'unauthorized' })
  expect((await now()).status).toBe('new')
})

test.for([
  ['another amount', { amount_total: 1 }, {}],
  ['another currency', { currency: 'usd' }, {}],
  ['a payment in the test mode of Stripe', {}, { livemode: false }],
] as const)('%s is not accepted', async ([, values, options]) => {
  await send('checkout.session.completed', values, options)
  expect((await now()).status).toBe('new')
})

test('events of other software in the account are answered and ignored', async () => {
  expect(await send('checkout.session.completed', { metadata: {} })).toMatchObject({ status: 200 })
  expect(await send('customer.created', {})).toMatchObject({ status: 200 })
  expect((await now()).status).toBe('new')
})

test('refunds are made once for an identifier, and counted with those made in Stripe', async () => {
  await startPayment(referenceOf(row), 'uk')
  const { providerRef } = await now()
  await send('checkout.session.completed', { id: providerRef })
  expect(await refund(20_050)).toMatchObject({ status: 'success', providerRef: expect.stringMatching(/^re_/) })
  await send('charge.refunded', { ...chargeOf(20_050) })
  await send('charge.refunded', { ...chargeOf(120_050) })
  expect((await listed()).map(({ kind, status, amount }) => [kind, status, amount])).toEqual([
    ['once', 'success', 120_050],
    ['refund', 'success', 20_050],
    ['refund', 'success', 100_000],
  ])
})

test('a refused refund says why; one without an answer waits', async () => {
  await send('payment_intent.succeeded', { id: 'pi_refused', status: 'succeeded', amount: 120_050 })
  expect(await refund(100)).toMatchObject({ status: 'error', failure: 'Charge has been disputed' })
  server.isDown = true
  expect(await refund(100)).toMatchObject({ status: 'pending' })
})

test('a lost webhook is found out by asking', async () => {
  await startPayment(referenceOf(row), 'uk')
  Object.assign(server.sessions.get((await now()).providerRef ?? '') ?? {}, {
    status: 'complete',
    payment_status: 'paid',
    payment_intent: { id: 'pi_9', object: 'payment_intent', status: 'succeeded', latest_charge: null },
  })
  await pollStuckPayments(recording.purposes, new Date(Date.now() + 16 * 60_000))
  expect((await now()).status).toBe('success')
})

test('the saved card of a subscription is charged', async () => {
  row = await addPayment(home, { provider: 'stripe', period: { unit: 'month', count: 1 } })
  await send('payment_intent.succeeded', { id: 'pi_1', status: 'succeeded', amount: 120_050, customer: 'cus_saved' })
  await send('checkout.session.completed', { customer: 'cus_saved' })
  const request = { tenantId: home.tenant.id, paymentId: row.id, amount: 120_050 }
  expect(await chargeSubscription(recording.purposes.order, { ...request, onceKey: '2' })).toMatchObject({
    status: 'success',
  })
  expect((await listed()).map(({ status }) => status)).toEqual(['subscribed', 'success', 'success'])
})

test('keys are checked with Stripe', async () => {
  expect(await stripe.checkKeys(ACCOUNT)).toBe(true)
  expect(await stripe.checkKeys({ ...ACCOUNT, keys: { ...STRIPE_KEYS, secretKey: 'sk_live_wrong' } })).toBe(false)
})
