import { bank } from '../bank/bank.ts'
import type { PaymentProvider } from '../provider.ts'
import type { ProviderName } from '../schema.ts'
import { liqpay } from './liqpay.ts'
import { monobank } from './monobank.ts'
import { sandbox } from './sandbox.ts'
import { stripe } from './stripe.ts'
import { wayforpay } from './wayforpay.ts'

const PROVIDER_LIST: readonly PaymentProvider[] = [liqpay, wayforpay, monobank, stripe, bank, sandbox]

/** The providers that are finished, in the order of the settings page. */
export const providers: ReadonlyMap<ProviderName, PaymentProvider> = new Map(
  PROVIDER_LIST.map((provider) => [provider.name, provider]),
)
