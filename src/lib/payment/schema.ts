import { z } from 'zod'

/** The specification's statuses of a payment. */
export const PAYMENT_STATUSES = [
  'error',
  'pending',
  'success',
  'new',
  'canceled',
  'recurrent refund',
  'subscribed',
] as const
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number]

/** `recurrent`: a subscription (without a parent) or one of its charges (with it). `refund`: money that was returned. */
export const PAYMENT_KINDS = ['once', 'recurrent', 'refund'] as const
export type PaymentKind = (typeof PAYMENT_KINDS)[number]

/**
 * The object of a payment: an order of a student, with the keys of the school, or the plan of a school, with those of
 * the installation.
 */
export const PAYMENT_PURPOSES = ['order', 'plan'] as const
export type PaymentPurpose = (typeof PAYMENT_PURPOSES)[number]

export const PROVIDERS = ['sandbox', 'liqpay', 'wayforpay', 'monobank', 'stripe', 'bank'] as const
export type ProviderName = (typeof PROVIDERS)[number]

export const CURRENCIES = ['UAH', 'USD', 'EUR'] as const
export type Currency = (typeof CURRENCIES)[number]

/** How a subscription is charged: the provider keeps the schedule, or the product charges the saved card. */
export const RECURRING_MODES = ['provider', 'token'] as const
export type RecurringMode = (typeof RECURRING_MODES)[number]

export const PERIOD_UNITS = ['day', 'week', 'month', 'year'] as const
export interface PaymentPeriod {
  unit: (typeof PERIOD_UNITS)[number]
  count: number
}

/** Names of the keys that providers give to their merchants. */
export const KEY_NAMES = [
  'publicKey',
  'privateKey',
  'merchantAccount',
  'secretKey',
  'token',
  'webhookSecret',
  'recipient',
  'iban',
  'taxId',
] as const
export type KeyName = (typeof KEY_NAMES)[number]

/** The source of a status. */
export const EVENT_SOURCES = ['callback', 'poll', 'request', 'staff'] as const
export type EventSource = (typeof EVENT_SOURCES)[number]

/** The outcome of a callback; `repeated` and `outdated` change nothing. */
export const CALLBACK_OUTCOMES = ['applied', 'repeated', 'outdated', 'rejected', 'failed'] as const
export type CallbackOutcome = (typeof CALLBACK_OUTCOMES)[number]

/** The reason why a callback was rejected. */
export const CALLBACK_PROBLEMS = [
  'signature',
  'format',
  'unknown_payment',
  'provider',
  'amount',
  'currency',
  'test',
  'status',
  'internal',
] as const
export type CallbackProblem = (typeof CALLBACK_PROBLEMS)[number]

/** The answers that the sandbox offers instead of a bank. */
export const SANDBOX_ANSWERS = ['success', 'pending', 'error', 'canceled'] as const
export const ChooseSandboxAnswer = z.object({ answer: z.enum(SANDBOX_ANSWERS) })
export type SandboxAnswer = (typeof SANDBOX_ANSWERS)[number]

export const ProviderInput = z.object({ provider: z.enum(PROVIDERS) })
export type ProviderInput = z.output<typeof ProviderInput>

export const EnableProvider = ProviderInput.extend({ isEnabled: z.boolean() })
export type EnableProvider = z.output<typeof EnableProvider>

/** Keys by their names; which ones there are depends on the provider. */
export const SaveProvider = ProviderInput.extend({
  keys: z.record(z.string().max(40), z.string().max(300)),
  isTest: z.boolean().default(false),
})
export type SaveProvider = z.output<typeof SaveProvider>
