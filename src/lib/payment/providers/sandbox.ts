import { keyedDigest } from '#lib/core/encryption.ts'
import { parseJsonObject } from '#lib/core/shared/text/json.ts'
import { CallbackFormatError, OK_ANSWER, type PaymentProvider, type ProviderEvent } from '../provider.ts'
import type { SandboxAnswer } from '../schema.ts'
import { isSameSignature } from './signature.ts'

/** The header with the signature of the sandbox. */
const SIGNATURE_HEADER = 'x-sandbox-signature'

export interface SandboxReport {
  reference: string
  status: SandboxAnswer
  amount: number
  currency: string
}

/** The callback that the sandbox sends when someone has chosen an answer. */
export function sandboxCallback(report: SandboxReport): { body: string; headers: Record<string, string> } {
  const body = JSON.stringify(report)
  return { body, headers: { [SIGNATURE_HEADER]: signatureOf(body) } }
}

/** A provider without a bank: a page on which the answer is chosen. Refunds and charges succeed at once. */
export const sandbox: PaymentProvider = {
  name: 'sandbox',
  currencies: ['UAH', 'USD', 'EUR'],
  keyFields: [],
  isTestAccount: () => true,
  capabilities: { recurring: 'token', periods: 'any', refund: 'full_and_partial', poll: false },
  callbackHeaders: [SIGNATURE_HEADER],
  // On the host of the school, where its staff are signed in.
  start: async (_account, { reference }, { siteUrl }) => ({
    kind: 'redirect',
    url: `${siteUrl}/payment/sandbox/${reference}`,
  }),
  verifyCallback: async (_account, { body, headers }) => isSameSignature(headers[SIGNATURE_HEADER], signatureOf(body)),
  parseCallback: ({ body }) => [eventOf(body)],
  answerCallback: () => OK_ANSWER,
  readStatus: async () => [],
  refund: async () => ({ status: 'success' }),
  chargeCard: async () => ({ status: 'success' }),
  cancelSubscription: async () => {},
  checkKeys: async () => true,
}

const signatureOf = (body: string): string => keyedDigest('payment-sandbox', body).toString('hex')

function eventOf(body: string): ProviderEvent {
  const { reference, status, amount, currency } = parseJsonObject(body) ?? {}
  if (typeof reference !== 'string' || typeof amount !== 'number' || typeof currency !== 'string')
    throw new CallbackFormatError('sandbox')
  if (status !== 'success' && status !== 'pending' && status !== 'error' && status !== 'canceled')
    throw new CallbackFormatError('sandbox')
  const saved = status === 'success' ? { cardToken: 'sandbox', cardMask: '•••• 0000' } : {}
  return { reference, kind: 'payment', status, amount, currency, isTest: true, ...saved }
}
