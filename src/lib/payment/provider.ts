import type { Locale } from '#lib/core/shared/locale.ts'
import type {
  Currency,
  KeyName,
  PaymentKind,
  PaymentPeriod,
  PaymentStatus,
  ProviderName,
  RecurringMode,
} from './schema.ts'

export type ProviderKeys = Readonly<Record<string, string>>

/** The account of a school, or of the installation, at a provider. */
export interface ProviderAccount {
  keys: ProviderKeys
  /** No money moves. */
  isTest: boolean
}

/** Data of a payment for a provider. */
export interface ProviderPayment {
  /** The product's identifier of the payment at the provider. */
  reference: string
  kind: PaymentKind
  status: PaymentStatus
  amount: number
  currency: Currency
  description: string
  providerRef: string | null
  /** The decrypted token of a saved card. */
  cardToken: string | null
  period: PaymentPeriod | null
  /** The first charge of a subscription; null: at once. */
  startsAt: Date | null
  createdAt: Date
}

/** URLs sent to a provider when a payment starts. */
export interface PaymentAddresses {
  /** The provider sends callbacks there. */
  callbackUrl: string
  /** The provider sends the buyer there. */
  returnUrl: string
  /** The site of the school. */
  siteUrl: string
}

/** The redirect of a buyer to the provider: a link, or a form that works without JavaScript. */
export type PaymentStep =
  | { kind: 'redirect'; url: string; providerRef?: string | undefined }
  | { kind: 'form'; action: string; fields: readonly (readonly [name: string, value: string])[] }
  | { kind: 'invoice' }

/** A callback as it arrived. */
export interface RawCallback {
  body: string
  headers: Readonly<Record<string, string>>
}

/** The report of a provider about a payment, in the terms of the product. */
export interface ProviderEvent {
  reference: string
  /**
   * `payment`: the payment itself. `charge`: a charge that the provider made by the schedule of the subscription
   * `reference`. `refund`: `amount` of it has been returned in total.
   */
  kind: 'payment' | 'charge' | 'refund'
  status: PaymentStatus
  /** Null where the provider does not report it. */
  amount: number | null
  currency: string | null
  /** The amount of the payment that a refund returns, where the provider says it. */
  paymentAmount?: number | null | undefined
  providerRef?: string | undefined
  cardToken?: string | undefined
  cardMask?: string | undefined
  failure?: string | undefined
  /** The provider's own name of the status. */
  providerStatus?: string | undefined
  /** The product does not know this status: it changes neither money nor access, and staff see it. */
  isUnknownStatus?: boolean | undefined
  isTest?: boolean | undefined
  /** The subscription has ended at the provider, which does not begin it again. */
  endsSubscription?: boolean | undefined
}

export interface CallbackAnswer {
  status: number
  type: string
  body: string
}

/** The outcome of a refund or a charge. `pending`: the provider decides later, or did not answer. */
export interface ProviderResult {
  status: 'success' | 'pending' | 'error'
  providerRef?: string | undefined
  failure?: string | undefined
}

/** One key of a provider, as a field of the settings page. Its label is `payment:key.<name>`. */
export interface KeyField<Name extends string = KeyName> {
  name: Name
  isSecret: boolean
  pattern: RegExp
  isOptional?: true
  /** Applied to the typed value before it is checked. */
  normalize?(typed: string): string
  isValid?(value: string): boolean
  /** Key of `errors` for another value; `format` by default. */
  problem?: string
}

/** One interface for all providers. Functions that use the network are never called in a transaction. */
export interface PaymentProvider {
  name: ProviderName
  /** Staff confirm its payments: it has no callbacks, test mode or connection. */
  isManual?: boolean
  currencies: readonly Currency[]
  keyFields: readonly KeyField[]
  /** Whether these keys belong to a test account, with which no money moves. */
  isTestAccount(keys: ProviderKeys): boolean
  capabilities: {
    recurring: RecurringMode | null
    /** How often subscriptions can be charged. */
    periods: readonly PaymentPeriod[] | 'any'
    /** `manual`: staff return the money themselves. */
    refund: 'full_and_partial' | 'manual'
    /** The provider has a request for the status. */
    poll: boolean
  }
  /** Names of the headers, in lower case, that are stored with a callback because its verification needs them. */
  callbackHeaders: readonly string[]
  start(
    account: ProviderAccount,
    payment: ProviderPayment,
    addresses: PaymentAddresses,
    locale: Locale,
  ): Promise<PaymentStep>
  /** Whether the provider has sent the callback. */
  verifyCallback(account: ProviderAccount, callback: RawCallback): Promise<boolean>
  /** Throws CallbackFormatError when the body does not conform to the provider's documentation. */
  parseCallback(callback: RawCallback): ProviderEvent[]
  /** The response to a processed callback. */
  answerCallback(account: ProviderAccount, callback: RawCallback): CallbackAnswer
  /** The present state; empty when the payment does not exist at the provider. */
  readStatus(account: ProviderAccount, payment: ProviderPayment): Promise<ProviderEvent[]>
  /** Returns money. `refundId` makes a repeated request the same refund where the provider supports it. */
  refund(
    account: ProviderAccount,
    payment: ProviderPayment,
    refund: { refundId: string; amount: number; note: string },
  ): Promise<ProviderResult>
  /** Charges the saved card of `subscription`. */
  chargeCard?(
    account: ProviderAccount,
    subscription: ProviderPayment,
    charge: ProviderPayment,
    addresses: PaymentAddresses,
  ): Promise<ProviderResult>
  /** Ends a subscription whose schedule the provider keeps. */
  cancelSubscription?(account: ProviderAccount, subscription: ProviderPayment): Promise<void>
  /** Whether the provider accepts the keys. */
  checkKeys(account: ProviderAccount): Promise<boolean>
}

/** Thrown when a body does not conform to the provider's documentation. */
export class CallbackFormatError extends Error {}

/** Thrown when a provider does not respond or its response is unexpected: the outcome of the request is unknown. */
export class ProviderUnavailable extends Error {}

/** The response that most providers expect. */
export const OK_ANSWER: CallbackAnswer = { status: 200, type: 'text/plain', body: 'OK' }
