import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto'
import { parseJsonObject } from '#lib/core/shared/text/json.ts'
import { DAY_SECONDS, MINUTE_MS } from '#lib/core/shared/time.ts'
import {
  CallbackFormatError,
  OK_ANSWER,
  type PaymentAddresses,
  type PaymentProvider,
  type ProviderAccount,
  type ProviderEvent,
  type ProviderPayment,
  type ProviderResult,
} from '../provider.ts'
import type { PaymentStatus } from '../schema.ts'
import { jsonOf, type ProviderResponse, requestProvider } from './request.ts'

const API_URL = 'https://api.monobank.ua/api/merchant'
const SIGNATURE_HEADER = 'x-sign'
const INVOICE_SECONDS = DAY_SECONDS
/** A callback with a wrong signature must not cause a request for the key each time. */
const KEY_REFETCH_MS = MINUTE_MS

const CURRENCY_CODES: Readonly<Record<string, number>> = { UAH: 980, USD: 840, EUR: 978 }
const CURRENCY_NAMES = new Map(Object.entries(CURRENCY_CODES).map(([name, code]) => [code, name]))

const STATUSES: Readonly<Record<string, PaymentStatus>> = {
  created: 'new',
  processing: 'pending',
  hold: 'pending',
  success: 'success',
  failure: 'error',
  expired: 'canceled',
}

/** plata by mono: https://monobank.ua/api-docs/acquiring. Callbacks are signed with ECDSA by the key of the merchant. */
export const monobank: PaymentProvider = {
  name: 'monobank',
  currencies: ['UAH', 'USD', 'EUR'],
  keyFields: [{ name: 'token', isSecret: true, pattern: /^[A-Za-z0-9_-]{20,100}$/ }],
  isTestAccount: () => false,
  capabilities: { recurring: 'token', periods: 'any', refund: 'full_and_partial', poll: true },
  callbackHeaders: [SIGNATURE_HEADER],
  start: async (account, payment, addresses) => {
    const saved = payment.kind === 'recurrent' ? { saveCardData: { saveCard: true, walletId: payment.reference } } : {}
    const invoice = {
      ...invoiceOf(payment, addresses),
      ...saved,
      redirectUrl: addresses.returnUrl,
      validity: INVOICE_SECONDS,
    }
    const { invoiceId, pageUrl } = accepted(await callMonobank(account, '/invoice/create', invoice))
    if (typeof invoiceId !== 'string' || typeof pageUrl !== 'string' || !pageUrl.startsWith('https://'))
      throw new CallbackFormatError('monobank')
    return { kind: 'redirect', url: pageUrl, providerRef: invoiceId }
  },
  verifyCallback: async (account, { body, headers }) => {
    const signature = Buffer.from(headers[SIGNATURE_HEADER] ?? '', 'base64')
    const check = (key: KeyObject | null) => key !== null && verify('sha256', Buffer.from(body), key, signature)
    if (signature.length === 0) return false
    return check(await publicKeyOf(account)) || check(await renewedKeyOf(account))
  },
  parseCallback: ({ body }) => {
    const report = parseJsonObject(body)
    if (!report) throw new CallbackFormatError('monobank')
    return eventsOf(report)
  },
  answerCallback: () => OK_ANSWER,
  readStatus: async (account, { providerRef }) => {
    if (!providerRef) return []
    const response = await callMonobank(account, `/invoice/status?${new URLSearchParams({ invoiceId: providerRef })}`)
    return response.status === 404 ? [] : eventsOf(accepted(response))
  },
  refund: async (account, { providerRef }, { refundId, amount }) => {
    const response = await callMonobank(account, '/invoice/cancel', {
      invoiceId: providerRef,
      extRef: refundId,
      amount,
    })
    const answer = jsonOf(response)
    if (response.status !== 200) return { status: 'error', failure: monobankFailure(answer) }
    return { status: answer.status === 'success' ? 'success' : answer.status === 'failure' ? 'error' : 'pending' }
  },
  chargeCard: async (account, { cardToken }, charge, addresses) => {
    const response = await callMonobank(account, '/wallet/payment', {
      ...invoiceOf(charge, addresses),
      cardToken,
      initiationKind: 'merchant',
    })
    return monobankResult(response)
  },
  checkKeys: async (account) => (await callMonobank(account, '/pubkey')).status === 200,
}

function invoiceOf({ reference, amount, currency, description }: ProviderPayment, { callbackUrl }: PaymentAddresses) {
  return {
    amount,
    ccy: CURRENCY_CODES[currency],
    merchantPaymInfo: { reference, destination: description },
    webHookUrl: callbackUrl,
  }
}

function callMonobank(
  { keys: { token = '' } }: ProviderAccount,
  path: string,
  body?: Record<string, unknown>,
): Promise<ProviderResponse> {
  const headers = { 'x-token': token, ...(body && { 'content-type': 'application/json' }) }
  return requestProvider(API_URL + path, { headers, body: body && JSON.stringify(body) })
}

function accepted(response: ProviderResponse): Record<string, unknown> {
  const answer = jsonOf(response)
  if (response.status !== 200) throw new CallbackFormatError(`monobank answered ${response.status}`)
  return answer
}

function monobankResult(response: ProviderResponse): ProviderResult {
  const answer = jsonOf(response)
  if (response.status !== 200) return { status: 'error', failure: monobankFailure(answer) }
  const providerRef = typeof answer.invoiceId === 'string' ? answer.invoiceId : undefined
  const status = STATUSES[String(answer.status)] ?? 'pending'
  if (status === 'success') return { status, providerRef }
  return status === 'error' || status === 'canceled'
    ? { status: 'error', providerRef, failure: monobankFailure(answer) }
    : { status: 'pending', providerRef }
}

function eventsOf(report: Record<string, unknown>): ProviderEvent[] {
  const { reference, status, amount, ccy, invoiceId, walletData, paymentInfo, cancelList } = report
  if (typeof reference !== 'string' || typeof status !== 'string') throw new CallbackFormatError('monobank')
  const common = {
    reference,
    amount: typeof amount === 'number' ? amount : null,
    currency: CURRENCY_NAMES.get(Number(ccy)) ?? (ccy === undefined ? null : String(ccy)),
    providerRef: typeof invoiceId === 'string' ? invoiceId : undefined,
    providerStatus: status,
    cardToken: textIn(walletData, 'cardToken'),
    cardMask: textIn(paymentInfo, 'maskedPan'),
  }
  const returned = returnedIn(cancelList)
  const refund: ProviderEvent = {
    ...common,
    kind: 'refund',
    status: 'success',
    amount: returned || common.amount,
    paymentAmount: common.amount,
  }
  if (status === 'reversed') return [refund]
  const mapped = STATUSES[status] ?? 'pending'
  const failure = mapped === 'error' ? monobankFailure(report) : undefined
  const isUnknownStatus = STATUSES[status] === undefined
  const event: ProviderEvent = { ...common, kind: 'payment', status: mapped, failure, isUnknownStatus }
  return mapped === 'success' && returned > 0 ? [event, refund] : [event]
}

function returnedIn(cancelList: unknown): number {
  if (!Array.isArray(cancelList)) return 0
  return cancelList.reduce((sum: number, entry: unknown) => {
    const { status, amount } = typeof entry === 'object' && entry !== null ? { status: '', amount: 0, ...entry } : {}
    return status === 'success' && typeof amount === 'number' ? sum + amount : sum
  }, 0)
}

function textIn(value: unknown, name: string): string | undefined {
  const found =
    typeof value === 'object' && value !== null ? Object.entries(value).find(([key]) => key === name)?.[1] : null
  return typeof found === 'string' && found !== '' ? found : undefined
}

function monobankFailure({ failureReason, errText, errCode }: Record<string, unknown>): string {
  return (
    [failureReason, errText, errCode].find((text) => typeof text === 'string' && text !== '')?.toString() ?? 'monobank'
  )
}

const keys = new Map<string, { key: KeyObject; fetchedAt: number }>()

const cacheKeyOf = ({ keys: { token = '' } }: ProviderAccount): string =>
  createHash('sha256').update(token).digest('hex')

async function publicKeyOf(account: ProviderAccount): Promise<KeyObject | null> {
  return keys.get(cacheKeyOf(account))?.key ?? fetchKey(account)
}

/** The key after it was fetched again, since the bank may have replaced it; null when it was fetched a moment ago. */
async function renewedKeyOf(account: ProviderAccount): Promise<KeyObject | null> {
  const known = keys.get(cacheKeyOf(account))
  return known && Date.now() - known.fetchedAt < KEY_REFETCH_MS ? null : fetchKey(account)
}

async function fetchKey(account: ProviderAccount): Promise<KeyObject | null> {
  const { key: encoded } = accepted(await callMonobank(account, '/pubkey'))
  if (typeof encoded !== 'string') return null
  const key = createPublicKey(Buffer.from(encoded, 'base64').toString('utf8'))
  keys.set(cacheKeyOf(account), { key, fetchedAt: Date.now() })
  return key
}
