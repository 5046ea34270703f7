import { createPublicKey, verify } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { inTenant, pool } from '#lib/core/db/db.ts'
import { handleCallback } from '#lib/payment/callback.ts'
import { getPayment, listPayments, type Payment } from '#lib/payment/payment.ts'
import { pollStuckPayments } from '#lib/payment/poll.ts'
import { monobank } from '#lib/payment/providers/monobank.ts'
import { referenceOf } from '#lib/payment/reference.ts'
import { refundPayment } from '#lib/payment/refund.ts'
import { startPayment } from '#lib/payment/start.ts'
import { chargeSubscription } from '#lib/payment/subscription.ts'
import { MONOBANK_KEYS, type MonobankServer, startMonobankServer } from '../../../setup/payment/monobank-server.ts'
import { addPayment, enableProvider, type RecordingPurposes, recordPurposes } from '../../../setup/payment/purposes.ts'
import { createTestTenant, type TestTenant } from '../../../setup/tenants.ts'
import vector from './monobank-vector.json' with { type: 'json' }

let home: TestTenant
let server: MonobankServer
let row: Payment
let recording: RecordingPurposes

beforeAll(async () => {
  server = await startMonobankServer()
  home = await createTestTenant()
  await enableProvider(home, 'monobank', MONOBANK_KEYS)
})
beforeEach(async () => {
  await pool.query('delete from throttle')
  server.isDown = false
  recording = recordPurposes()
  row = await addPayment(home, { provider: 'monobank' })
})
afterAll(async () => {
  await server.stop()
  await pool.end()
})

type Webhook = Parameters<MonobankServer['webhook']>[0]
const ACCOUNT = { keys: MONOBANK_KEYS, isTest: false }
const webhook = (values: Webhook = {}) =>
  server.webhook({ invoiceId: 'p2_1', status: 'success', amount: 120_050, reference: referenceOf(row), ...values })
const deliver = ({ body, headers }: { body: string; headers: Record<string, string> }) =>
  handleCallback(recording.purposes, {
    provider: 'monobank',
    account: home.tenant.id,
    body,
    headers: new Headers(headers),
  })
const send = (values?: Webhook) => deliver(webhook(values))
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

test('the signature is verified as in the vendor’s example', () => {
  const key = createPublicKey(Buffer.from(vector.key, 'base64').toString())
  expect(verify('sha256', Buffer.from(vector.body), key, Buffer.from(vector.signature, 'base64'))).toBe(true)
  expect(monobank.parseCallback({ body: vector.body, headers: {} })).toMatchObject([
    { reference: '84d0070ee4e44667b31371d8f8813947', status: 'new', amount: 4200, currency: 'UAH' },
  ])
})

test('the buyer goes to the page of one invoice, however often the payment is started', async () => {
  const { step } = await startPayment(referenceOf(row), 'uk')
  const again = await startPayment(referenceOf(row), 'uk')
  expect(step).toMatchObject({ kind: 'redirect', url: expect.stringMatching(/^https:\/\/pay\.mbnk\.biz\/p2_\d+$/) })
  expect(again.step).toMatchObject({ url: step?.kind === 'redirect' ? step.url : '' })
  const [request] = server.requests.filter(({ body }) => body.includes(referenceOf(row)))
  expect(JSON.parse(request?.body ?? '')).toMatchObject({
    amount: 120_050,
    ccy: 980,
    merchantPaymInfo: { reference: referenceOf(row), destination: row.description },
    redirectUrl: expect.stringContaining(`/v1/payment/return/${referenceOf(row)}`),
    webHookUrl: expect.stringContaining(`/v1/payment/callback/monobank/${home.tenant.id}`),
  })
})

test('when monobank does not answer, the payment is refused as unavailable', async () => {
  server.isDown = true
  await expect(startPayment(referenceOf(row), 'uk')).rejects.toMatchObject({ code: 'unavailable' })
})

test.for([
  ['created', 'new'],
  ['processing', 'pending'],
  ['hold', 'pending'],
  ['success', 'success'],
  ['failure', 'error'],
  ['expired', 'canceled'],
  ['reversed', 'canceled'],
] as const)('%s becomes %s', async ([status, ours]) => {
  await send({ status })
  expect((await now()).status).toBe(ours)
})

test.for([
  ['another amount', { amount: 1 }],
  ['another currency', { ccy: 840 }],
] as const)('%s is not accepted', async ([, values]) => {
  await send(values)
  expect((await now()).status).toBe('new')
})

test('a changed body, a foreign signature and none are refused', async () => {
  const { body, headers } = webhook()
  await expect(deliver({ body: body.replace('success', 'failure'), headers })).rejects.toMatchObject({
    code: 'unauthorized',
  })
  for (const sign of ['', 'AAAA', Buffer.from('x'.repeat(70)).toString('base64')])
    await expect(deliver({ body, headers: { 'x-sign': sign } })).rejects.toMatchObject({ code: 'unauthorized' })
  expect((await now()).status).toBe('new')
})

test('the key is fetched once, and again when the bank has replaced it', async () => {
  await send({ status: 'processing' })
  const fetches = () => server.requests.filter(({ path }) => path.endsWith('/pubkey')).length
  const before = fetches()
  await send({ status: 'processing' })
  expect(fetches()).toBe(before)
  server.changeKey()
  vi.useFakeTimers({ now: Date.now() + 120_000, toFake: ['Date'] })
  try {
    await send()
  } finally {
    vi.useRealTimers()
  }
  expect(fetches()).toBe(before + 1)
  expect((await now()).status).toBe('success')
})

test('forged callbacks do not make us fetch the key each time', async () => {
  await send({ status: 'processing' })
  const before = server.requests.length
  const { body } = webhook()
  for (let count = 0; count < 5; count++)
    await expect(deliver({ body, headers: { 'x-sign': 'AAAA' } })).rejects.toMatchObject({ code: 'unauthorized' })
  expect(server.requests.length - before).toBeLessThanOrEqual(1)
})

test('refunds are requested with our identifier, and counted with those of the bank', async () => {
  await startPayment(referenceOf(row), 'uk')
  const { providerRef } = await now()
  await send({ invoiceId: providerRef ?? '' })
  expect(await refund(20_050)).toMatchObject({ status: 'success' })
  const cancelList = [
    { status: 'success', amount: 20_050, extRef: 'ours' },
    { status: 'success', amount: 100_000, extRef: 'cabinet' },
    { status: 'processing', amount: 1, extRef: 'later' },
  ]
  await send({ invoiceId: providerRef ?? '', status: 'reversed', cancelList })
  expect((await listed()).map(({ kind, status, amount }) => [kind, status, amount])).toEqual([
    ['once', 'success', 120_050],
    ['refund', 'success', 20_050],
    ['refund', 'success', 100_000],
  ])
})

test('a refused refund says why and may be repeated', async () => {
  await send({ invoiceId: 'unknown' })
  expect(await refund(100)).toMatchObject({ status: 'error', failure: 'invoice not found' })
  expect(await refund(120_050)).toMatchObject({ status: 'error' })
})

test('a lost webhook is found out by asking', async () => {
  await startPayment(referenceOf(row), 'uk')
  const invoice = server.invoices.get((await now()).providerRef ?? '')
  Object.assign(invoice ?? {}, { status: 'success' })
  await pollStuckPayments(recording.purposes, new Date(Date.now() + 16 * 60_000))
  expect((await now()).status).toBe('success')
})

test('the saved card of a subscription is charged', async () => {
  row = await addPayment(home, { provider: 'monobank', period: { unit: 'month', count: 3 } })
  await startPayment(referenceOf(row), 'en')
  expect(JSON.parse(server.requests.at(-1)?.body ?? '')).toMatchObject({ saveCardData: { saveCard: true } })
  await send({ walletData: { cardToken: 'saved-card', walletId: 'w', status: 'created' } })
  const request = { tenantId: home.tenant.id, paymentId: row.id, amount: 50_000 }
  expect(await chargeSubscription(recording.purposes.order, { ...request, onceKey: '2' })).toMatchObject({
    status: 'success',
    amount: 50_000,
  })
  expect((await listed()).map(({ status }) => status)).toEqual(['subscribed', 'success', 'success'])
})

test('keys are checked with monobank', async () => {
  expect(await monobank.checkKeys(ACCOUNT)).toBe(true)
  expect(await monobank.checkKeys({ ...ACCOUNT, keys: { token: 'wrong' } })).toBe(false)
})
