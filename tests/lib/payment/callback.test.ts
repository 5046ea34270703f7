import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { inTenant, pool } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import { DAY_MS } from '#lib/core/shared/time.ts'
import { handleCallback, replayCallback } from '#lib/payment/callback.ts'
import { removeOldCallbacks } from '#lib/payment/callback-retention.ts'
import { cancelPayment, getPayment, listPaymentEvents, type Payment } from '#lib/payment/payment.ts'
import { pollStuckPayments } from '#lib/payment/poll.ts'
import { type SandboxReport, sandbox, sandboxCallback } from '#lib/payment/providers/sandbox.ts'
import { referenceOf } from '#lib/payment/reference.ts'
import { payment, paymentCallback } from '#lib/payment/table.ts'
import { addPayment, type RecordingPurposes, recordPurposes } from '../../setup/payment/purposes.ts'
import { createOtherTenant, createTestTenant, type TestTenant } from '../../setup/tenants.ts'

let home: TestTenant
let other: TestTenant
let row: Payment
let recording: RecordingPurposes

beforeAll(async () => {
  home = await createTestTenant()
  other = await createOtherTenant()
})
beforeEach(async () => {
  await pool.query('delete from throttle')
  recording = recordPurposes()
  row = await addPayment(home)
})
afterAll(() => pool.end())

const reportOf = (values: Partial<SandboxReport> = {}): SandboxReport => {
  const { amount, currency } = row
  return { reference: referenceOf(row), status: 'success', amount, currency, ...values }
}
function send(values: Partial<SandboxReport> = {}, { account = home.tenant.id, forged = false } = {}) {
  const { body, headers } = sandboxCallback(reportOf(values))
  const sent = new Headers(forged ? { 'x-sandbox-signature': 'f'.repeat(64) } : headers)
  return handleCallback(recording.purposes, { provider: 'sandbox', account, body, headers: sent })
}
const statusNow = async () => (await getPayment(home.tenant.id, row.id)).status
const stored = () =>
  inTenant({ tenantId: home.tenant.id }, (tx) =>
    tx.select().from(paymentCallback).where(eq(paymentCallback.paymentId, row.id)),
  )

test('a paid callback changes the payment, is applied once and is stored as it arrived', async () => {
  expect(await send()).toMatchObject({ status: 200 })
  expect(await statusNow()).toBe('success')
  expect(recording.applied).toMatchObject([{ payment: { id: row.id, status: 'success' }, previousStatus: 'new' }])
  const [callback] = await stored()
  expect(callback).toMatchObject({ outcome: 'applied', signatureOk: true, status: 'success', provider: 'sandbox' })
  expect(JSON.parse(callback?.body ?? '')).toEqual(reportOf())
})

test('a repeated callback is answered and changes nothing', async () => {
  await send()
  expect(await send()).toMatchObject({ status: 200 })
  expect(recording.applied).toHaveLength(1)
  expect((await stored()).map(({ outcome }) => outcome).sort()).toEqual(['applied', 'repeated'])
})

test('concurrent callbacks are applied once', async () => {
  await Promise.all(Array.from({ length: 8 }, () => send()))
  expect(recording.applied).toHaveLength(1)
})

test('a late pending or refused never undoes success, while success follows a refused card', async () => {
  await send({ status: 'error' })
  await send({ status: 'pending' })
  expect(await statusNow()).toBe('error')
  await send({ status: 'success' })
  await send({ status: 'pending' })
  await send({ status: 'canceled' })
  expect(await statusNow()).toBe('success')
})

test('money for a canceled payment is applied', async () => {
  expect(await inTenant({ tenantId: home.tenant.id }, (tx) => cancelPayment(tx, row.id))).toBe(true)
  await send()
  expect(recording.applied).toMatchObject([{ previousStatus: 'canceled', payment: { status: 'success' } }])
  expect(await inTenant({ tenantId: home.tenant.id }, (tx) => cancelPayment(tx, row.id))).toBe(false)
})

test('a forged callback is refused and stored as such', async () => {
  await expect(send({}, { forged: true })).rejects.toMatchObject({ code: 'unauthorized' })
  expect(await statusNow()).toBe('new')
  const rejected = await inTenant({ tenantId: home.tenant.id }, (tx) =>
    tx.select().from(paymentCallback).where(eq(paymentCallback.problem, 'signature')),
  )
  expect(rejected.at(-1)).toMatchObject({ signatureOk: false, outcome: 'rejected', paymentId: null })
})

test.for([
  [{ amount: 1 }, 'amount'],
  [{ amount: 120_051 }, 'amount'],
  [{ currency: 'USD' }, 'currency'],
] as const)('%j is rejected in spite of a valid signature', async ([values, problem]) => {
  expect(await send(values)).toMatchObject({ status: 200 })
  expect(await statusNow()).toBe('new')
  expect(recording.applied).toEqual([])
  expect(await stored()).toMatchObject([{ outcome: 'rejected', problem }])
})

test('a callback for the payment of another school changes nothing', async () => {
  await send({}, { account: other.tenant.id })
  expect(await statusNow()).toBe('new')
  expect(await stored()).toEqual([])
})

test('unknown providers and accounts are not found', async () => {
  const callback = { ...sandboxCallback(reportOf()), headers: new Headers() }
  for (const [provider, account] of [
    ['paypal', home.tenant.id],
    ['sandbox', 'nobody'],
    ['sandbox', newId()],
    ['liqpay', home.tenant.id],
    ['sandbox', 'installation'],
  ] as const)
    await expect(handleCallback(recording.purposes, { ...callback, provider, account })).rejects.toMatchObject({
      code: 'not_found',
    })
})

test('when applying fails nothing has changed, the callback is stored, and its replay is applied', async () => {
  recording.failsWith = new Error('the order could not be changed')
  await expect(send()).rejects.toThrow('the order could not be changed')
  expect(await statusNow()).toBe('new')
  recording.failsWith = null
  const [failed] = await stored()
  expect(failed).toMatchObject({ outcome: 'failed', problem: 'internal' })
  await replayCallback(recording.purposes, { tenantId: home.tenant.id, callbackId: failed?.id ?? '' })
  expect(await statusNow()).toBe('success')
  expect(recording.applied).toHaveLength(1)
})

test('the events of an order are listed in their order', async () => {
  await send({ status: 'pending' })
  await send({ status: 'success' })
  const events = await inTenant({ tenantId: home.tenant.id }, (tx) => listPaymentEvents(tx, 'order', [row.purposeId]))
  expect(events).toMatchObject([
    { status: 'pending', outcome: 'applied', source: 'callback' },
    { status: 'success', outcome: 'applied', source: 'callback' },
  ])
})

test('the raw bodies of old callbacks are removed and their statuses kept; rejected ones of no payment are deleted', async () => {
  await send()
  await send({}, { forged: true }).catch(() => {})
  const age = (days: number) =>
    inTenant({ tenantId: home.tenant.id }, (tx) =>
      tx.update(paymentCallback).set({ receivedAt: new Date(Date.now() - days * DAY_MS) }),
    )
  const all = () => inTenant({ tenantId: home.tenant.id }, (tx) => tx.select().from(paymentCallback))
  await age(29)
  expect(await removeOldCallbacks()).toBe(0)
  await age(31)
  await removeOldCallbacks()
  expect((await all()).every(({ paymentId }) => paymentId !== null)).toBe(true)
  expect((await stored())[0]?.body).not.toBe('')
  await age(191)
  await removeOldCallbacks()
  const [kept] = await stored()
  expect(kept).toMatchObject({ body: '', headers: {}, status: 'success', outcome: 'applied' })
  await expect(
    replayCallback(recording.purposes, { tenantId: home.tenant.id, callbackId: kept?.id ?? '' }),
  ).rejects.toMatchObject({ code: 'not_found' })
  expect(await removeOldCallbacks()).toBe(0)
})

test('the answer of a provider about another payment than the one that was asked for is not believed', async () => {
  const another = await addPayment(home)
  const readStatus = vi.spyOn(sandbox, 'readStatus').mockResolvedValue([
    {
      reference: referenceOf(another),
      kind: 'payment',
      status: 'success',
      amount: another.amount,
      currency: 'UAH',
      isTest: true,
    },
  ])
  const { capabilities } = sandbox
  sandbox.capabilities = { ...capabilities, poll: true }
  await inTenant({ tenantId: home.tenant.id }, (tx) =>
    tx.update(payment).set({ nextPollAt: new Date() }).where(eq(payment.id, row.id)),
  )
  await pollStuckPayments(recording.purposes)
  expect(readStatus).toHaveBeenCalled()
  readStatus.mockRestore()
  sandbox.capabilities = capabilities
  expect([await statusNow(), (await getPayment(home.tenant.id, another.id)).status]).toEqual(['new', 'new'])
  expect(recording.applied).toEqual([])
})
