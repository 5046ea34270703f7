import type { ProviderName } from '#lib/payment/schema.ts'
import { liqpayCallback } from './liqpay-server.ts'
import type { MonobankServer } from './monobank-server.ts'
import { stripeWebhook } from './stripe-server.ts'
import { wayforpayReport } from './wayforpay-server.ts'

/** The amount of the payments that the messages report about, in minor units. */
export const AMOUNT = 120_050

/** What a provider reports about a payment, or pretends to. */
export interface Report {
  status: 'pending' | 'success' | 'error' | 'refund'
  /** Returned in total, of a refund. */
  returned: number
  problem: 'none' | 'signature' | 'amount' | 'currency' | 'school'
}
interface Message {
  body: string
  headers?: Record<string, string>
}

const amountOf = ({ problem }: Report) => (problem === 'amount' ? AMOUNT - 1 : AMOUNT)
const currencyOf = ({ problem }: Report) => (problem === 'currency' ? 'USD' : 'UAH')

const STRIPE_SESSIONS = {
  pending: ['checkout.session.completed', 'unpaid'],
  success: ['checkout.session.completed', 'paid'],
  error: ['checkout.session.async_payment_failed', 'unpaid'],
} as const

/** The callbacks of each provider as it sends and signs them. */
export const messagesOf = (
  monobank: MonobankServer,
): Partial<Record<ProviderName, (reference: string, report: Report) => Message>> => ({
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
})
