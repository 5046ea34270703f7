import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { inTenant, pool } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import { listPaymentMethods } from '#lib/payment/methods.ts'
import { listPayments, type Payment, paymentPath } from '#lib/payment/payment.ts'
import { referenceOf } from '#lib/payment/reference.ts'
import { refundPayment } from '#lib/payment/refund.ts'
import { answerSandbox } from '#lib/payment/sandbox-answer.ts'
import { cancelSubscription, chargeSubscription } from '#lib/payment/subscription.ts'
import { addPayment, enableProvider, type RecordingPurposes, recordPurposes } from '../../setup/payment/purposes.ts'
import { createOtherTenant, createTestTenant, type TestTenant } from '../../setup/tenants.ts'

let home: TestTenant
let other: TestTenant
let recording: RecordingPurposes

beforeAll(async () => {
  home = await createTestTenant()
  other = await createOtherTenant()
})
beforeEach(() => {
  recording = recordPurposes()
})
afterAll(() => pool.end())

const apply = (...change: Parameters<RecordingPurposes['purposes']['order']>) => recording.purposes.order(...change)
async function addPaid(values: Parameters<typeof addPayment>[1] = {}): Promise<Payment> {
  const row = await addPayment(home, values)
  await answerSandbox(recording.purposes, referenceOf(row), 'success')
  return row
}
const refund = (paymentId: string, amount: number, tenantId = home.tenant.id) =>
  refundPayment(apply, { tenantId, paymentId, amount, note: 'Не підійшло', by: home.as.OWNER.membershipId })
const listed = ({ purposeId }: Payment) =>
  inTenant({ tenantId: home.tenant.id }, (tx) => listPayments(tx, 'order', [purposeId]))

test('a part of a payment is returned, then the rest, and never more', async () => {
  const row = await addPaid()
  expect(await refund(row.id, 20_050)).toMatchObject({
    kind: 'refund',
    status: 'success',
    amount: 20_050,
    parentId: row.id,
  })
  await expect(refund(row.id, 100_001)).rejects.toMatchObject({
    code: 'unprocessable',
    details: { fields: { amount: ['refund_amount'] }, data: { left: 100_000 } },
  })
  await refund(row.id, 100_000)
  await expect(refund(row.id, 1)).rejects.toMatchObject({ code: 'unprocessable' })
  expect((await listed(row)).map(({ kind, status, amount }) => [kind, status, amount])).toEqual([
    ['once', 'success', 120_050],
    ['refund', 'success', 20_050],
    ['refund', 'success', 100_000],
  ])
  expect(recording.applied.map(({ payment }) => payment.kind)).toEqual(['once', 'refund', 'refund'])
})

test('two refunds at the same time return no more than was paid', async () => {
  const row = await addPaid()
  const outcomes = await Promise.allSettled([refund(row.id, 120_050), refund(row.id, 120_050)])
  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
})

test.for([0, -5, 1.5])('%f is no amount', async (amount) => {
  const row = await addPaid()
  await expect(refund(row.id, amount)).rejects.toMatchObject({ code: 'unprocessable' })
})

test('what was not paid, is unknown or belongs to another school is not returned', async () => {
  const unpaid = await addPayment(home)
  const paid = await addPaid()
  await expect(refund(unpaid.id, 100)).rejects.toMatchObject({ code: 'not_found' })
  await expect(refund(newId(), 100)).rejects.toMatchObject({ code: 'not_found' })
  await expect(refund(paid.id, 100, other.tenant.id)).rejects.toMatchObject({ code: 'not_found' })
})

test('a subscription begins with its first charge, is charged once for a key, and ends', async () => {
  const row = await addPaid({ period: { unit: 'month', count: 1 } })
  const { tenantId, id: paymentId } = row
  const charge = () => chargeSubscription(apply, { tenantId, paymentId, amount: 120_050, onceKey: '2026-12' })
  expect(await charge()).toMatchObject({ kind: 'recurrent', status: 'success', parentId: row.id })
  await charge()
  expect((await listed(row)).map(({ parentId, status }) => [parentId, status])).toEqual([
    [null, 'subscribed'],
    [row.id, 'success'],
    [row.id, 'success'],
  ])
  await cancelSubscription(apply, row && { tenantId, paymentId })
  await cancelSubscription(apply, { tenantId, paymentId })
  await expect(
    chargeSubscription(apply, { tenantId, paymentId, amount: 120_050, onceKey: '2027-01' }),
  ).rejects.toMatchObject({ code: 'not_found' })
  // A late message that it has begun does not begin it again.
  await answerSandbox(recording.purposes, referenceOf(row), 'success')
  expect((await listed(row))[0]).toMatchObject({ status: 'canceled' })
  expect(recording.applied.map(({ payment: { status } }) => status)).toEqual([
    'subscribed',
    'success',
    'success',
    'canceled',
  ])
})

test('a charge that was returned in full is a recurrent refund', async () => {
  const row = await addPaid({ period: { unit: 'month', count: 1 } })
  const charge = (await listed(row)).find(({ parentId }) => parentId === row.id)
  await refund(charge?.id ?? '', 120_050)
  const [, charged, returned] = await listed(row)
  expect(charged).toMatchObject({ status: 'recurrent refund' })
  expect(returned).toMatchObject({ kind: 'refund', status: 'success', parentId: charge?.id })
})

test('the sandbox is offered in test mode only, and never together with a provider that receives money', async () => {
  const school = await createTestTenant()
  const offered = () => inTenant({ tenantId: school.tenant.id }, (tx) => listPaymentMethods(tx, { currency: 'UAH' }))
  const started = await addPayment(school)
  await enableProvider(school, 'monobank', { token: 'uTestToken-0123456789abcdef' }, true)
  expect((await offered()).map(({ provider, isTest }) => [provider, isTest])).toEqual([
    ['monobank', true],
    ['sandbox', true],
  ])
  await enableProvider(school, 'liqpay', { publicKey: 'i00000000', privateKey: 'private' })
  expect((await offered()).map(({ provider }) => provider)).toEqual(['liqpay'])
  await expect(answerSandbox(recording.purposes, referenceOf(started), 'success')).rejects.toMatchObject({
    code: 'not_found',
  })
  expect(recording.applied).toEqual([])
})

test('a payment has an address that names no order, and a wrong one is not found', async () => {
  const row = await addPayment(home)
  expect(paymentPath(row)).toMatch(/^\/payment\/[\w-]{43}$/)
  const wrong = referenceOf({ tenantId: home.tenant.id, id: newId() })
  for (const reference of [wrong, 'x', referenceOf(row).slice(1)])
    await expect(answerSandbox(recording.purposes, reference, 'success')).rejects.toMatchObject({ code: 'not_found' })
})

test('a new school offers the sandbox, for every currency', async () => {
  const methods = await inTenant({ tenantId: other.tenant.id }, (tx) => listPaymentMethods(tx, { currency: 'EUR' }))
  expect(methods).toEqual([{ provider: 'sandbox', isTest: true, recurring: 'token' }])
  await expect(addPayment(home, { provider: 'liqpay' })).rejects.toMatchObject({
    details: { fields: { provider: ['payment_provider'] } },
  })
})
