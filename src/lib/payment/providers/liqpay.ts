import { createHash } from 'node:crypto'
import { parseJsonObject } from '#lib/core/shared/text/json.ts'
import {
  CallbackFormatError,
  OK_ANSWER,
  type PaymentAddresses,
  type PaymentProvider,
  type ProviderAccount,
  type ProviderEvent,
  type ProviderPayment,
} from '../provider.ts'
import type { PaymentStatus } from '../schema.ts'
import { decimalOf, minorUnitsOf } from './amount.ts'
import { jsonOf, requestProvider } from './request.ts'
import { isSameSignature } from './signature.ts'

const CHECKOUT_URL = 'https://www.liqpay.ua/api/3/checkout'
const REQUEST_URL = 'https://www.liqpay.ua/api/request'
const VERSION = 3

/** The statuses of https://www.liqpay.ua/en/doc/api/callback; `reversed` is a refund. */
const STATUSES: Readonly<Record<string, PaymentStatus>> = {
  success: 'success',
  // Paid; the money is credited with the daily posting.
  wait_compensation: 'success',
  sandbox: 'success',
  subscribed: 'subscribed',
  unsubscribed: 'canceled',
  failure: 'error',
  error: 'error',
  try_again: 'error',
  ...pendingStatuses(
    ['3ds_verify', 'captcha_verify', 'cvv_verify', 'ivr_verify', 'otp_verify', 'password_verify', 'phone_verify'],
    ['pin_verify', 'receiver_verify', 'sender_verify', 'senderapp_verify', 'p24_verify', 'mp_verify'],
    ['wait_qr', 'wait_sender', 'cash_wait', 'hold_wait', 'invoice_wait', 'prepared', 'processing'],
    // The buyer is charged, and LiqPay checks the school, the payment or a condition.
    ['wait_accept', 'wait_card', 'wait_lc', 'wait_reserve', 'wait_secure'],
  ),
}

function pendingStatuses(...groups: readonly string[][]): Record<string, PaymentStatus> {
  return Object.fromEntries(groups.flat().map((status) => [status, 'pending']))
}

/**
 * LiqPay: https://www.liqpay.ua/en/doc. Requests and callbacks are `data` (JSON in base64) with `signature`; subscriptions
 * are charged by LiqPay, which repeats a failed charge three times in 72 hours.
 */
export const liqpay: PaymentProvider = {
  name: 'liqpay',
  currencies: ['UAH', 'USD', 'EUR'],
  keyFields: [
    { name: 'publicKey', isSecret: false, pattern: /^(sandbox_)?i\d{6,20}$/ },
    { name: 'privateKey', isSecret: true, pattern: /^[A-Za-z0-9_]{20,100}$/ },
  ],
  isTestAccount: ({ publicKey }) => publicKey?.startsWith('sandbox_') ?? false,
  capabilities: {
    recurring: 'provider',
    periods: [
      { unit: 'month', count: 1 },
      { unit: 'year', count: 1 },
    ],
    refund: 'full_and_partial',
    poll: true,
  },
  callbackHeaders: [],
  start: async (account, payment, addresses, locale) => ({
    kind: 'form',
    action: CHECKOUT_URL,
    fields: Object.entries(signed(account, { ...checkoutOf(payment, addresses), language: locale })),
  }),
  verifyCallback: async (account, { body }) => {
    const form = new URLSearchParams(body)
    return isSameSignature(form.get('signature'), signatureOf(account, form.get('data') ?? ''))
  },
  parseCallback: ({ body }) => {
    const data = parseJsonObject(Buffer.from(new URLSearchParams(body).get('data') ?? '', 'base64').toString('utf8'))
    if (!data) throw new CallbackFormatError('liqpay')
    return eventsOf(data)
  },
  answerCallback: () => OK_ANSWER,
  readStatus: async (account, { reference }) => {
    const answer = await callLiqpay(account, { action: 'status', order_id: reference })
    return answer.result === 'ok' ? eventsOf(answer) : []
  },
  refund: async (account, { reference }, { amount }) => {
    const answer = await callLiqpay(account, { action: 'refund', order_id: reference, amount: decimalOf(amount) })
    if (answer.result !== 'ok') return { status: 'error', failure: liqpayFailure(answer) }
    const isDone = (answer.status === 'reversed' || answer.status === 'success') && answer.wait_amount !== true
    return { status: isDone ? 'success' : 'pending' }
  },
  cancelSubscription: async (account, { reference }) => {
    const answer = await callLiqpay(account, { action: 'unsubscribe', order_id: reference })
    if (answer.result !== 'ok' && answer.status !== 'unsubscribed') throw new CallbackFormatError(liqpayFailure(answer))
  },
  // Only an account with valid keys gets the response that the order does not exist.
  checkKeys: async (account) => {
    const answer = await callLiqpay(account, { action: 'status', order_id: 'kafedra-connection-check' })
    return answer.result === 'ok' || answer.err_code === 'payment_not_found' || answer.code === 'payment_not_found'
  },
}

function checkoutOf(
  { reference, amount, currency, description, period, startsAt }: ProviderPayment,
  addresses: PaymentAddresses,
) {
  return {
    action: period ? 'subscribe' : 'pay',
    amount: decimalOf(amount),
    currency,
    description,
    order_id: reference,
    server_url: addresses.callbackUrl,
    result_url: addresses.returnUrl,
    ...(period && {
      subscribe: '1',
      subscribe_date_start: startsAt ? dateTimeOf(startsAt) : 'now',
      subscribe_periodicity: period.unit,
    }),
  }
}

/** In UTC, as LiqPay expects it: 2026-11-24 16:00:00. */
const dateTimeOf = (at: Date): string => at.toISOString().slice(0, 19).replace('T', ' ')

function signed(account: ProviderAccount, values: Record<string, string>): { data: string; signature: string } {
  const json = JSON.stringify({ version: VERSION, public_key: account.keys.publicKey, ...values })
  const data = Buffer.from(json, 'utf8').toString('base64')
  return { data, signature: signatureOf(account, data) }
}

/** base64(sha1(private_key + data + private_key)). */
function signatureOf({ keys: { privateKey = '' } }: ProviderAccount, data: string): string {
  return createHash('sha1')
    .update(privateKey + data + privateKey)
    .digest('base64')
}

async function callLiqpay(account: ProviderAccount, values: Record<string, string>): Promise<Record<string, unknown>> {
  const body = new URLSearchParams(signed(account, values)).toString()
  return jsonOf(
    await requestProvider(REQUEST_URL, { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body }),
  )
}

function eventsOf(data: Record<string, unknown>): ProviderEvent[] {
  const { order_id: reference, status, action, payment_id: paymentId } = data
  if (typeof reference !== 'string' || typeof status !== 'string') throw new CallbackFormatError('liqpay')
  const common = {
    reference,
    amount: minorUnitsOf(data.amount),
    currency: typeof data.currency === 'string' ? data.currency : null,
    providerRef: paymentId === undefined ? undefined : String(paymentId),
    cardMask: typeof data.sender_card_mask2 === 'string' ? data.sender_card_mask2 : undefined,
    providerStatus: status,
    isTest: status === 'sandbox',
  }
  const returned = minorUnitsOf(data.refund_amount)
  // An unreadable part must not be taken for the complete payment.
  if (returned === null && data.refund_amount != null) throw new CallbackFormatError('liqpay')
  const refund: ProviderEvent = {
    ...common,
    kind: 'refund',
    status: 'success',
    amount: returned || common.amount,
    paymentAmount: common.amount,
  }
  if (status === 'reversed') return [refund]
  const mapped = STATUSES[status] ?? 'pending'
  const isCharge = action === 'regular' || (action === 'subscribe' && mapped === 'success')
  const event: ProviderEvent = {
    ...common,
    kind: isCharge ? 'charge' : 'payment',
    status: mapped,
    isUnknownStatus: STATUSES[status] === undefined,
    failure: mapped === 'error' ? liqpayFailure(data) : undefined,
    endsSubscription: status === 'unsubscribed',
  }
  return mapped === 'success' && returned ? [event, refund] : [event]
}

function liqpayFailure({ err_description: description, err_code: code }: Record<string, unknown>): string {
  return typeof description === 'string' && description !== ''
    ? description
    : typeof code === 'string'
      ? code
      : 'liqpay'
}
