import { createHmac } from 'node:crypto'
import { parseJsonNumberTexts } from '#lib/core/shared/text/json.ts'
import {
  CallbackFormatError,
  type PaymentAddresses,
  type PaymentProvider,
  type ProviderAccount,
  type ProviderEvent,
  type ProviderPayment,
  type ProviderResult,
  ProviderUnavailable,
} from '../provider.ts'
import type { PaymentStatus } from '../schema.ts'
import { decimalOf, minorUnitsOf } from './amount.ts'
import { requestProvider } from './request.ts'
import { isSameSignature } from './signature.ts'

const PAY_URL = 'https://secure.wayforpay.com/pay'
const API_URL = 'https://api.wayforpay.com/api'
const ORDER_NOT_FOUND = 1127
/** The signed fields of WayForPay's report about a transaction. */
const REPORT_FIELDS = [
  'merchantAccount',
  'orderReference',
  'amount',
  'currency',
  'authCode',
  'cardPan',
  'transactionStatus',
  'reasonCode',
]

/** The statuses of https://wiki.wayforpay.com/en/view/852131; `Refunded` and `Voided` are refunds. */
const STATUSES: Readonly<Record<string, PaymentStatus>> = {
  Approved: 'success',
  Declined: 'error',
  Expired: 'canceled',
  Created: 'pending',
  InProcessing: 'pending',
  Pending: 'pending',
  WaitingAuthComplete: 'pending',
  RefundInProcessing: 'pending',
}

/** WayForPay: https://wiki.wayforpay.com/en. Signatures are HMAC-MD5 of fields joined by semicolons. */
export const wayforpay: PaymentProvider = {
  name: 'wayforpay',
  currencies: ['UAH', 'USD', 'EUR'],
  keyFields: [
    { name: 'merchantAccount', isSecret: false, pattern: /^[\w.-]{3,100}$/ },
    { name: 'secretKey', isSecret: true, pattern: /^[\x21-\x7e]{10,128}$/ },
  ],
  // The secret of this account is published: anyone can sign callbacks for it.
  isTestAccount: ({ merchantAccount }) => merchantAccount === 'test_merch_n1',
  capabilities: { recurring: 'token', periods: 'any', refund: 'full_and_partial', poll: true },
  callbackHeaders: [],
  start: async (account, payment, addresses, locale) => ({
    kind: 'form',
    action: PAY_URL,
    fields: [
      ...Object.entries(orderOf(account, payment, addresses)).flatMap(([name, value]) =>
        Array.isArray(value) ? value.map((item) => [`${name}[]`, item] as const) : [[name, value] as const],
      ),
      ['returnUrl', addresses.returnUrl],
      ['language', locale === 'uk' ? 'UA' : 'EN'],
    ],
  }),
  verifyCallback: async (account, { body }) => {
    const report = reportOf(body)
    return report !== null && isSignedReport(account, report)
  },
  parseCallback: ({ body }) => {
    const report = reportOf(body)
    if (!report) throw new CallbackFormatError('wayforpay')
    return [eventOf(report)]
  },
  answerCallback: (account, { body }) => {
    const orderReference = String(reportOf(body)?.orderReference ?? '')
    const time = Math.floor(Date.now() / 1000)
    const signature = signatureOf(account, [orderReference, 'accept', time])
    const answer = JSON.stringify({ orderReference, status: 'accept', time, signature })
    return { status: 200, type: 'application/json', body: answer }
  },
  readStatus: async (account, { reference }) => {
    const report = await requestStatus(account, reference)
    if (Number(report.reasonCode) === ORDER_NOT_FOUND) return []
    if (!isSignedReport(account, report)) throw new ProviderUnavailable('the answer has no valid signature')
    return [eventOf(report)]
  },
  refund: async (account, { reference: orderReference, currency }, { amount, note }) => {
    const sum = decimalOf(amount)
    const { merchantAccount = '' } = account.keys
    const answer = await callWayforpay({
      transactionType: 'REFUND',
      merchantAccount,
      orderReference,
      amount: sum,
      currency,
      comment: note || 'refund',
      merchantSignature: signatureOf(account, [merchantAccount, orderReference, sum, currency]),
      apiVersion: 1,
    })
    const { transactionStatus: status } = answer
    if (status === 'Refunded' || status === 'Voided') return { status: 'success' }
    return status === 'RefundInProcessing'
      ? { status: 'pending' }
      : { status: 'error', failure: wayforpayFailure(answer) }
  },
  chargeCard: async (account, subscription, charge, addresses) => {
    if (!subscription.cardToken) return { status: 'error', failure: 'no saved card' }
    const answer = await callWayforpay({
      transactionType: 'CHARGE',
      ...orderOf(account, charge, addresses),
      merchantTransactionType: 'SALE',
      merchantTransactionSecureType: 'NON3DS',
      recToken: subscription.cardToken,
      apiVersion: 1,
    })
    return wayforpayResult(account, answer)
  },
  checkKeys: async (account) => {
    const { reasonCode } = await requestStatus(account, 'kafedra-connection-check')
    return Number(reasonCode) === ORDER_NOT_FOUND || Number(reasonCode) === 1100
  },
}

function orderOf(account: ProviderAccount, payment: ProviderPayment, { callbackUrl, siteUrl }: PaymentAddresses) {
  const { reference: orderReference, currency, description, createdAt } = payment
  const { merchantAccount = '' } = account.keys
  const merchantDomainName = new URL(siteUrl).hostname
  const orderDate = String(Math.floor(createdAt.getTime() / 1000))
  const amount = decimalOf(payment.amount)
  const productName = description.replaceAll(';', ',')
  const order = [merchantAccount, merchantDomainName, orderReference, orderDate, amount, currency]
  return {
    merchantAccount,
    merchantAuthType: 'SimpleSignature',
    merchantDomainName,
    merchantTransactionSecureType: 'AUTO',
    merchantSignature: signatureOf(account, [...order, productName, '1', amount]),
    orderReference,
    orderDate,
    amount,
    currency,
    productName: [productName],
    productCount: ['1'],
    productPrice: [amount],
    serviceUrl: callbackUrl,
  }
}

function requestStatus(account: ProviderAccount, orderReference: string): Promise<Record<string, unknown>> {
  const { merchantAccount = '' } = account.keys
  return callWayforpay({
    transactionType: 'CHECK_STATUS',
    merchantAccount,
    orderReference,
    merchantSignature: signatureOf(account, [merchantAccount, orderReference]),
    apiVersion: 1,
  })
}

async function callWayforpay(body: Record<string, unknown>): Promise<Record<string, unknown>> {
  const headers = { 'content-type': 'application/json' }
  const { text } = await requestProvider(API_URL, { headers, body: JSON.stringify(body) })
  const answer = parseJsonNumberTexts(text)
  if (!answer) throw new ProviderUnavailable('the answer of the provider is no JSON object')
  return answer
}

function wayforpayResult(account: ProviderAccount, answer: Record<string, unknown>): ProviderResult {
  const status = STATUSES[String(answer.transactionStatus)] ?? 'pending'
  if (status === 'success')
    return isSignedReport(account, answer)
      ? { status, providerRef: String(answer.orderReference) }
      : { status: 'pending' }
  return status === 'pending' && answer.transactionStatus !== undefined
    ? { status }
    : { status: 'error', failure: wayforpayFailure(answer) }
}

// The callback is JSON; some servers of WayForPay declare it as a form. Its numbers are kept as texts: they are signed as
// they are written, e.g. 100.10.
function reportOf(body: string): Record<string, unknown> | null {
  return parseJsonNumberTexts(body) ?? parseJsonNumberTexts([...new URLSearchParams(body).keys()][0] ?? '')
}

function isSignedReport(account: ProviderAccount, report: Record<string, unknown>): boolean {
  if (report.merchantAccount !== account.keys.merchantAccount) return false
  const values = REPORT_FIELDS.map((name) => fieldText(report[name]))
  // Some servers write 100.00 and sign 100: the same number in its shortest form.
  const shortest = values.map((text, index) => (REPORT_FIELDS[index] === 'amount' ? shortestNumber(text) : text))
  return [values, shortest].some((signed) => isSameSignature(report.merchantSignature, signatureOf(account, signed)))
}

function signatureOf({ keys: { secretKey = '' } }: ProviderAccount, values: readonly (string | number)[]): string {
  return createHmac('md5', secretKey).update(values.join(';')).digest('hex')
}

const fieldText = (value: unknown): string => (typeof value === 'string' ? value : '')

const shortestNumber = (text: string): string =>
  text !== '' && Number.isFinite(Number(text)) ? String(Number(text)) : text

function eventOf(report: Record<string, unknown>): ProviderEvent {
  const { orderReference: reference, transactionStatus, recToken, cardPan, currency } = report
  if (typeof reference !== 'string' || typeof transactionStatus !== 'string') throw new CallbackFormatError('wayforpay')
  const common = {
    reference,
    currency: typeof currency === 'string' ? currency : null,
    providerStatus: transactionStatus,
  }
  // The amount is that of the order, not of the refund, unless it is named.
  if (transactionStatus === 'Refunded' || transactionStatus === 'Voided') {
    const amount = minorUnitsOf(report.refundAmount)
    // An unreadable part must not be taken for the complete payment.
    if (amount === null && report.refundAmount != null) throw new CallbackFormatError('wayforpay')
    const paymentAmount = amount === null ? null : minorUnitsOf(report.amount)
    return { ...common, kind: 'refund', status: 'success', amount, paymentAmount }
  }
  const status = STATUSES[transactionStatus] ?? 'pending'
  return {
    ...common,
    kind: 'payment',
    status,
    isUnknownStatus: STATUSES[transactionStatus] === undefined,
    amount: minorUnitsOf(report.amount),
    cardToken: typeof recToken === 'string' && recToken !== '' ? recToken : undefined,
    cardMask: typeof cardPan === 'string' && cardPan !== '' ? cardPan : undefined,
    failure: status === 'error' ? wayforpayFailure(report) : undefined,
  }
}

function wayforpayFailure({ reason, reasonCode }: Record<string, unknown>): string {
  return typeof reason === 'string' && reason !== '' ? reason : `WayForPay ${fieldText(reasonCode)}`
}
