import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { inTenant, pool } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { handleCallback } from '#lib/payment/callback.ts'
import { listPayments, type Payment } from '#lib/payment/payment.ts'
import { referenceOf } from '#lib/payment/reference.ts'
import type { ProviderName } from '#lib/payment/schema.ts'
import { LIQPAY_KEYS, liqpayCallback } from '../../setup/payment/liqpay-server.ts'
import { MONOBANK_KEYS, type MonobankServer, startMonobankServer } from '../../setup/payment/monobank-server.ts'
import { addPayment, enableProvider, recordPurposes } from '../../setup/payment/purposes.ts'
import { STRIPE_KEYS, stripeWebhook } from '../../setup/payment/stripe-server.ts'
import { WAYFORPAY_KEYS, wayforpayReport } from '../../setup/payment/wayforpay-server.ts'
import { createOtherTenant, createTestTenant, type TestTenant } from '../../setup/tenants.ts'

/*
 * Random sequences of callbacks for a payment: duplicate, in another order, forged, with another amount or currency, sent to
 * another school, and at the same time. `npm test` takes some, `npm run soak -- payments` 10,000 of each provider.
 */
const RUNS = Number(process.env.PAYMENT_RUNS ?? 30)
const AMOUNT = 120_050

interface Report {
  status: 'pending' | 'success' | 'error' | 'refund'
  /** Returned in total, of a refund. */
  returned: number
  problem: 'none' | 'signature' | 'amount' | 'currency' | 'school'
}
interface Message {
  body: string
  headers?: Record<string, string>
}

let home: TestTenant
let other: TestTenant
let monobank: MonobankServer

beforeAll(async () => {
  monobank = await startMonobankServer()
  home = await createTestTenant()
  other = await createOtherTenant()
  for (const school of [home, other]) {
    await enableProvider(school, 'liqpay', LIQPAY_KEYS)
    await enableProvider(school, 'wayforpay', WAYFORPAY_KEYS)
    await enableProvider(school, 'monobank', MONOBANK_KEYS)
    await enableProvider(school, 'stripe', STRIPE_KEYS)
  }
})
beforeEach(() => pool.query('delete from throttle'))
afterAll(async () => {
  await monobank.stop()
  await pool.end()
})

const amountOf = ({ problem }: Report) => (problem === 'amount' ? AMOUNT - 1 : AMOUNT)
const currencyOf = ({ problem }: Report) => (problem === 'currency' ? 'USD' : 'UAH')

const STRIPE_SESSIONS = {
  pending: ['checkout.session.completed', 'unpaid'],
  success: ['checkout.session.completed', 'paid'],
  error: ['checkout.session.async_payment_failed', 'unpaid'],
} as const

const MESSAGES: Partial<Record<ProviderName, (reference: string, report: Report) => Message>> = {
  liqpay: (reference, report) => {
    const status = { pending: 'processing', success: 'success', error: 'failure', refund: 'reversed' }[report.status]
    const returned: Record<string, number> = report.status === 'refund' ? { refund_amount: report.returned / 100 } : {}
    const fields = {
      action: 'pay',
      order_id: reference,
      status,
      amount: amountOf(report) / 100,
      currency: currencyOf(report),
    }
    const key = report.problem === 'signature' ? 'f'.repeat(40) : undefined
    return { body: liqpayCallback({ ...fields, ...returned, payment_id: 7 }, key) }
  },
  wayforpay: (reference, report) => {
    const status = { pending: 'InProcessing', success: 'Approved', error: 'Declined', refund: 'Refunded' }[
      report.status
    ]
    const returned: Record<string, number> = report.status === 'refund' ? { refundAmount: report.returned / 100 } : {}
    const fields = {
      orderReference: reference,
      transactionStatus: status,
      amount: amountOf(report) / 100,
      currency: currencyOf(report),
    }
    return {
      body: JSON.stringify(
        wayforpayReport({ ...fields, ...returned }, report.problem === 'signature' ? 'forged' : undefined),
      ),
    }
  },
  monobank: (reference, report) => {
    const status = { pending: 'processing', success: 'success', error: 'failure', refund: 'success' }[report.status]
    const cancelList = report.status === 'refund' ? [{ status: 'success', amount: report.returned, extRef: 'r' }] : []
    const isWhole = report.status === 'refund' && report.returned === AMOUNT
    const invoice = {
      invoiceId: 'p2_1',
      reference,
      status: isWhole ? 'reversed' : status,
      amount: amountOf(report),
      cancelList,
    }
    const sent = monobank.webhook({ ...invoice, ccy: currencyOf(report) === 'UAH' ? 980 : 840 })
    return report.problem === 'signature' ? { ...sent, body: sent.body.replace('"ccy":', '"ccy": ') } : sent
  },
  stripe: (reference, report) => {
    const metadata = { reference }
    const currency = currencyOf(report).toLowerCase()
    const options = report.problem === 'signature' ? { secret: 'whsec_another' } : {}
    if (report.status === 'refund') {
      const charge = { object: 'charge', amount: amountOf(report), amount_refunded: report.returned, livemode: true }
      return stripeWebhook('charge.refunded', { ...charge, metadata, currency }, options)
    }
    const [type, state] = STRIPE_SESSIONS[report.status]
    const session = { object: 'checkout.session', id: 'cs_live_1', payment_status: state }
    return stripeWebhook(type, { ...session, metadata, currency, amount_total: amountOf(report) }, options)
  },
}

const report = fc.record({
  status: fc.constantFrom('pending', 'success', 'success', 'error', 'refund'),
  returned: fc.constantFrom(100, 20_050, 120_000, AMOUNT),
  problem: fc.constantFrom('none', 'none', 'none', 'none', 'signature', 'amount', 'currency', 'school'),
})
const sequence = fc.array(
  fc.record({ reports: fc.array(report, { minLength: 1, maxLength: 3 }), again: fc.boolean() }),
  {
    minLength: 1,
    maxLength: 6,
  },
)

/** What is true of a payment after valid reports, in whatever order they came. */
function expectedOf(reports: readonly Report[]) {
  const valid = reports.filter(({ problem }) => problem === 'none')
  const refunds = valid.filter(({ status }) => status === 'refund').map(({ returned }) => returned)
  const returned = Math.max(0, ...refunds)
  const wasPaid = valid.some(({ status }) => status === 'success') || refunds.length > 0
  return { hasAccess: wasPaid && returned < AMOUNT, returned, wasPaid }
}

test.for(Object.keys(MESSAGES) as ProviderName[])(
  '%s: access follows what was paid and not returned',
  { timeout: 3_600_000 },
  async (provider) => {
    const messageOf = MESSAGES[provider]
    if (!messageOf) throw new Error('no messages')
    await fc.assert(
      fc.asyncProperty(sequence, async (groups) => {
        const recording = recordPurposes()
        const row = await addPayment(home, { provider })
        const deliver = (item: Report) => {
          const { body, headers } = messageOf(referenceOf(row), item)
          const account = (item.problem === 'school' ? other : home).tenant.id
          const sent = handleCallback(recording.purposes, { provider, account, body, headers: new Headers(headers) })
          return sent.catch((error: unknown) => {
            if (!(error instanceof Refusal && error.code === 'unauthorized' && item.problem === 'signature'))
              throw error
          })
        }
        for (const { reports, again } of groups) {
          await Promise.all([...reports, ...(again ? reports : [])].map(deliver))
        }
        await expectConsistent(
          row,
          groups.flatMap(({ reports }) => reports),
          recording.applied.map(({ payment }) => payment),
        )
      }),
      { numRuns: RUNS },
    )
  },
)

async function expectConsistent(row: Payment, reports: readonly Report[], applied: readonly Payment[]): Promise<void> {
  const [paid, ...refunds] = await inTenant({ tenantId: home.tenant.id }, (tx) =>
    listPayments(tx, 'order', [row.purposeId]),
  )
  const { hasAccess, returned, wasPaid } = expectedOf(reports)
  const sum = refunds.reduce((total, { amount }) => total + amount, 0)
  expect(paid?.status === 'success' && sum < AMOUNT).toBe(hasAccess)
  expect(wasPaid || (paid?.status !== 'success' && refunds.length === 0)).toBe(true)
  // Money that was returned before it was known to be paid needs no refund of its own.
  if (paid?.status === 'success') expect(sum).toBe(returned)
  expect(refunds.every(({ kind, status }) => kind === 'refund' && status === 'success')).toBe(true)
  expect(applied.filter(({ id, status }) => id === row.id && status === 'success').length).toBeLessThanOrEqual(1)
  expect(new Set(applied.map(({ id, status }) => `${id} ${status}`)).size).toBe(applied.length)
}
