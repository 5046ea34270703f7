import { CallbackFormatError, OK_ANSWER, type PaymentProvider } from '../provider.ts'
import { isIban, normalizeIban } from './iban.ts'

/**
 * Bank transfer by an invoice: the buyer transfers the money, staff confirm that it has arrived, and return it themselves.
 * The keys are the details of the account in Ukraine.
 */
export const bank: PaymentProvider = {
  name: 'bank',
  isManual: true,
  currencies: ['UAH'],
  keyFields: [
    { name: 'recipient', isSecret: false, pattern: /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]{2,160}$/u },
    {
      name: 'iban',
      isSecret: false,
      pattern: /^UA\d{27}$/,
      normalize: normalizeIban,
      isValid: isIban,
      problem: 'iban_format',
    },
    // Eight digits of a company, ten of a sole proprietor.
    { name: 'taxId', isSecret: false, pattern: /^(\d{8}|\d{10})$/, problem: 'tax_id_format' },
  ],
  isTestAccount: () => false,
  capabilities: { recurring: null, periods: [], refund: 'manual', poll: false },
  callbackHeaders: [],
  start: async () => ({ kind: 'invoice' }),
  verifyCallback: async () => false,
  parseCallback: () => {
    throw new CallbackFormatError('bank')
  },
  answerCallback: () => OK_ANSWER,
  readStatus: async () => [],
  refund: async () => ({ status: 'success' }),
  checkKeys: async () => true,
}
