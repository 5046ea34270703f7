import Stripe from 'stripe'
import { parseJsonObject } from '#lib/core/shared/text/json.ts'
import {
  CallbackFormatError,
  OK_ANSWER,
  type PaymentProvider,
  type ProviderAccount,
  type ProviderEvent,
  type ProviderPayment,
  type ProviderResult,
  ProviderUnavailable,
} from '../provider.ts'
import type { PaymentStatus } from '../schema.ts'

const SIGNATURE_HEADER = 'stripe-signature'
const TIMEOUT_MS = 10_000
/** A callback is accepted for this time after it was signed, so that an old one cannot be sent again. */
const TOLERANCE_SECONDS = 300

const SESSION_STATUSES: Readonly<Record<string, PaymentStatus>> = {
  'checkout.session.async_payment_succeeded': 'success',
  'checkout.session.async_payment_failed': 'error',
  'checkout.session.expired': 'canceled',
}

/** Stripe Checkout by the vendor's SDK; saved cards are charged by payment intents. */
export const stripe: PaymentProvider = {
  name: 'stripe',
  currencies: ['UAH', 'USD', 'EUR'],
  keyFields: [
    { name: 'secretKey', isSecret: true, pattern: /^(sk|rk)_(test|live)_[A-Za-z0-9]{10,250}$/ },
    { name: 'webhookSecret', isSecret: true, pattern: /^whsec_[A-Za-z0-9+/=]{10,200}$/ },
  ],
  isTestAccount: ({ secretKey }) => secretKey?.includes('_test_') ?? false,
  capabilities: { recurring: 'token', periods: 'any', refund: 'full_and_partial', poll: true },
  callbackHeaders: [SIGNATURE_HEADER],
  start: async (account, payment, addresses, locale) => {
    const { reference } = payment
    const session = await answerOf(
      clientOf(account).checkout.sessions.create({
        mode: 'payment',
        client_reference_id: reference,
        metadata: { reference },
        payment_intent_data: {
          metadata: { reference },
          ...(isSaved(payment) && { setup_future_usage: 'off_session' }),
        },
        ...(isSaved(payment) && { customer_creation: 'always' }),
        line_items: [{ quantity: 1, price_data: priceOf(payment) }],
        success_url: addresses.returnUrl,
        cancel_url: addresses.returnUrl,
        locale: locale === 'uk' ? 'auto' : 'en',
      }),
    )
    if (!session.url) throw new CallbackFormatError('stripe')
    return { kind: 'redirect', url: session.url, providerRef: session.id }
  },
  verifyCallback: async ({ keys: { webhookSecret = '' } }, { body, headers }) => {
    try {
      Stripe.webhooks.constructEvent(body, headers[SIGNATURE_HEADER] ?? '', webhookSecret, TOLERANCE_SECONDS)
      return true
    } catch (error) {
      if (error instanceof Stripe.errors.StripeSignatureVerificationError || error instanceof SyntaxError) return false
      throw error
    }
  },
  parseCallback: ({ body }) => {
    const event = parseJsonObject(body)
    const data = recordOf(event?.data)
    const object = recordOf(data?.object)
    if (!event || !object) throw new CallbackFormatError('stripe')
    return eventsOf(String(event.type), object, event.livemode === false)
  },
  answerCallback: () => OK_ANSWER,
  readStatus: async (account, { reference, providerRef }) => {
    if (!providerRef) return []
    if (providerRef.startsWith('pi_')) {
      const intent = await answerOf(
        clientOf(account).paymentIntents.retrieve(providerRef, { expand: ['latest_charge'] }),
      )
      return intentEvents({ ...intent }, reference)
    }
    const session = await answerOf(
      clientOf(account).checkout.sessions.retrieve(providerRef, { expand: ['payment_intent.latest_charge'] }),
    )
    if (session.status === 'expired') return eventsOf('checkout.session.expired', { ...session }, !session.livemode)
    const events =
      session.status === 'complete' ? eventsOf('checkout.session.completed', { ...session }, !session.livemode) : []
    return [...events, ...refundsOf(recordOf(session.payment_intent), reference)]
  },
  refund: async (account, { providerRef }, { refundId, amount }) => {
    const intent = await paymentIntentOf(account, providerRef)
    if (!intent) return { status: 'error', failure: 'no payment intent' }
    try {
      const refund = await answerOf(
        clientOf(account).refunds.create({ payment_intent: intent, amount }, { idempotencyKey: refundId }),
      )
      const status = refund.status === 'succeeded' ? 'success' : refund.status === 'failed' ? 'error' : 'pending'
      return { status, providerRef: refund.id, failure: refund.failure_reason }
    } catch (error) {
      return failedResult(error)
    }
  },
  chargeCard: async (account, { cardToken }, charge) => {
    try {
      return await chargeSavedCard(account, cardToken, charge)
    } catch (error) {
      return failedResult(error)
    }
  },
  checkKeys: async (account) => {
    try {
      await answerOf(clientOf(account).checkout.sessions.list({ limit: 1 }))
      return true
    } catch (error) {
      if (error instanceof Stripe.errors.StripeError) return false
      throw error
    }
  },
}

const isSaved = ({ kind }: ProviderPayment): boolean => kind === 'recurrent'

function clientOf({ keys: { secretKey = '' } }: ProviderAccount): Stripe {
  // A retry of the SDK repeats the idempotency key.
  const httpClient = Stripe.createFetchHttpClient()
  return new Stripe(secretKey, { httpClient, timeout: TIMEOUT_MS, maxNetworkRetries: 1, telemetry: false })
}

async function answerOf<T>(request: Promise<T>): Promise<T> {
  try {
    return await request
  } catch (error) {
    if (error instanceof Stripe.errors.StripeConnectionError || error instanceof Stripe.errors.StripeAPIError)
      throw new ProviderUnavailable('Stripe does not answer', { cause: error })
    throw error
  }
}

function failedResult(error: unknown): ProviderResult {
  if (error instanceof Stripe.errors.StripeError) return { status: 'error', failure: error.message }
  throw error
}

function priceOf({ amount, currency, description }: ProviderPayment) {
  return { currency: currency.toLowerCase(), unit_amount: amount, product_data: { name: description } }
}

async function chargeSavedCard(
  account: ProviderAccount,
  customer: string | null,
  { amount, currency, description, reference }: ProviderPayment,
): Promise<ProviderResult> {
  if (!customer) return { status: 'error', failure: 'no saved card' }
  const client = clientOf(account)
  const { data } = await answerOf(client.customers.listPaymentMethods(customer, { limit: 1 }))
  const [method] = data
  if (!method) return { status: 'error', failure: 'no saved card' }
  const intent = await answerOf(
    client.paymentIntents.create(
      {
        amount,
        currency: currency.toLowerCase(),
        customer,
        payment_method: method.id,
        off_session: true,
        confirm: true,
        description,
        metadata: { reference },
      },
      { idempotencyKey: reference },
    ),
  )
  return { status: intent.status === 'succeeded' ? 'success' : 'pending', providerRef: intent.id }
}

async function paymentIntentOf(account: ProviderAccount, providerRef: string | null): Promise<string | null> {
  if (!providerRef || providerRef.startsWith('pi_')) return providerRef
  const { payment_intent: intent } = await answerOf(clientOf(account).checkout.sessions.retrieve(providerRef))
  return typeof intent === 'string' ? intent : (intent?.id ?? null)
}

function eventsOf(type: string, object: Record<string, unknown>, isTest: boolean): ProviderEvent[] {
  if (type.startsWith('checkout.session.')) return sessionEvents(type, object, isTest)
  const reference = textIn(object.metadata, 'reference')
  if (!reference) return []
  if (type === 'charge.refunded') return [refundOf(object, reference)]
  return type.startsWith('payment_intent.') ? intentEvents(object, reference) : []
}

function sessionEvents(type: string, object: Record<string, unknown>, isTest: boolean): ProviderEvent[] {
  const reference = textIn(object.metadata, 'reference')
  // Sessions of other software in the same account.
  if (!reference) return []
  const isPaid = object.payment_status === 'paid'
  const status =
    SESSION_STATUSES[type] ?? (type === 'checkout.session.completed' ? (isPaid ? 'success' : 'pending') : null)
  if (!status) return []
  return [
    {
      reference,
      kind: 'payment',
      status,
      amount: numberOrNull(object.amount_total),
      currency: currencyOf(object),
      providerRef: typeof object.id === 'string' ? object.id : undefined,
      cardToken: typeof object.customer === 'string' ? object.customer : undefined,
      isTest,
    },
  ]
}

function intentEvents(intent: Record<string, unknown>, reference: string): ProviderEvent[] {
  const { status: state, id, customer, livemode } = intent
  if (state !== 'succeeded' && state !== 'processing') return refundsOf(intent, reference)
  const event: ProviderEvent = {
    reference,
    kind: 'payment',
    status: state === 'succeeded' ? 'success' : 'pending',
    amount: numberOrNull(intent.amount),
    currency: currencyOf(intent),
    providerRef: typeof id === 'string' ? id : undefined,
    cardToken: typeof customer === 'string' ? customer : undefined,
    isTest: livemode === false,
  }
  return [event, ...refundsOf(intent, reference)]
}

function refundsOf(intent: Record<string, unknown> | null, reference: string): ProviderEvent[] {
  const charge = recordOf(intent?.latest_charge)
  return charge && numberOrNull(charge.amount_refunded) ? [refundOf(charge, reference)] : []
}

function refundOf(charge: Record<string, unknown>, reference: string): ProviderEvent {
  return {
    reference,
    kind: 'refund',
    status: 'success',
    amount: numberOrNull(charge.amount_refunded),
    paymentAmount: numberOrNull(charge.amount),
    currency: currencyOf(charge),
    isTest: charge.livemode === false,
  }
}

const numberOrNull = (value: unknown): number | null => (typeof value === 'number' ? value : null)

function currencyOf({ currency }: Record<string, unknown>): string | null {
  return typeof currency === 'string' ? currency.toUpperCase() : null
}

function recordOf(value: unknown): Record<string, unknown> | null {
  return typeof value === 'object' && value !== null ? { ...value } : null
}

function textIn(value: unknown, name: string): string | undefined {
  const found = recordOf(value)?.[name]
  return typeof found === 'string' ? found : undefined
}
