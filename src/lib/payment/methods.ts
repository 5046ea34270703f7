import { asc } from 'drizzle-orm'
import { config } from '#lib/core/config/config.ts'
import type { Tx } from '#lib/core/db/db.ts'
import type { PaymentProvider } from './provider.ts'
import { findInstallationAccount } from './provider-accounts.ts'
import { providers } from './providers/providers.ts'
import type { Currency, PaymentPeriod, ProviderName, RecurringMode } from './schema.ts'
import { paymentProviderSetting } from './table.ts'

export interface PaymentMethod {
  /** Its label is `payment:provider.<provider>`. */
  provider: ProviderName
  /** No money moves. */
  isTest: boolean
  recurring: RecurringMode | null
}

interface MethodFilter {
  currency: Currency
  /** Only providers that can charge a subscription this often. */
  period?: PaymentPeriod | undefined
}

/**
 * The providers that a school offers to its buyers, in its order. The sandbox is offered while no provider receives
 * money, so that a new school can try everything and nobody gets access for nothing afterwards.
 */
export async function listPaymentMethods(tx: Tx, filter: MethodFilter): Promise<PaymentMethod[]> {
  const rows = await tx.select().from(paymentProviderSetting).orderBy(asc(paymentProviderSetting.position))
  const enabled = rows.filter((row) => row.isEnabled && row.keys !== null)
  // A school that has connected a provider receives money: the sandbox does not return while the provider is turned off.
  const isLive = rows.some(({ keys, isTest }) => keys !== null && !isTest)
  const isSandboxHidden = rows.some(({ provider, isEnabled }) => provider === 'sandbox' && !isEnabled)
  const offered = enabled.map(({ provider, isTest }) => ({ provider, isTest }))
  const sandbox = isLive || isSandboxHidden ? [] : [{ provider: 'sandbox' as const, isTest: true }]
  return [...offered.filter(({ isTest }) => !isTest || !isLive), ...sandbox].flatMap((method) =>
    toMethod(method.provider, method.isTest, filter),
  )
}

/** The providers by which schools pay for their plans; the sandbox on an installation of a developer only. */
export function listPlanMethods(filter: MethodFilter): PaymentMethod[] {
  const own = [...providers.keys()].filter((name) => findInstallationAccount(name) !== null)
  const names = own.length === 0 && config.devPages ? ['sandbox' as const] : own
  return names.flatMap((name) => toMethod(name, name === 'sandbox', filter))
}

function toMethod(name: ProviderName, isTest: boolean, { currency, period }: MethodFilter): PaymentMethod[] {
  const provider: PaymentProvider | undefined = providers.get(name)
  if (!provider?.currencies.includes(currency)) return []
  const { recurring, periods } = provider.capabilities
  if (period && !(recurring && isSupported(period, periods))) return []
  return [{ provider: name, isTest, recurring }]
}

function isSupported({ unit, count }: PaymentPeriod, periods: readonly PaymentPeriod[] | 'any'): boolean {
  return periods === 'any' || periods.some((known) => known.unit === unit && known.count === count)
}
