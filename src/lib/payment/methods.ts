import { asc } from 'drizzle-orm'
import { config } from '#lib/core/config/config.ts'
import type { Tx } from '#lib/core/db/db.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { hasRole } from '#lib/core/shared/role.ts'
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
  /** Also methods by which no money moves; `mayMakeTestPayments` of the visitor. */
  mayTest?: boolean | undefined
}

type Visitor = Pick<Actor, 'tenantId' | 'roles'> | null

/**
 * Whether a visitor may make test payments in a school, by which people get access without paying: its staff who sell, and
 * everybody on an installation of a developer.
 */
export const mayMakeTestPayments = (visitor: Visitor, tenantId: string): boolean =>
  config.isLocal || isTestBuyer(visitor, tenantId)

/** Whether a visitor is signed in as one of the staff of a school who sell. */
export const isTestBuyer = (visitor: Visitor, tenantId: string): boolean =>
  visitor?.tenantId === tenantId && hasRole(visitor, TEST_ROLES)

const TEST_ROLES = ['OWNER', 'DIRECTOR', 'EXPERT'] as const

/**
 * The providers that a school offers to its buyers, in its order. Test payments (by the sandbox, which needs no keys, and
 * by providers in test mode) are offered to those who may make them, while no provider receives money.
 */
export async function listPaymentMethods(tx: Tx, filter: MethodFilter): Promise<PaymentMethod[]> {
  const rows = await tx.select().from(paymentProviderSetting).orderBy(asc(paymentProviderSetting.position))
  const enabled = rows.filter((row) => row.isEnabled && row.keys !== null)
  // A school that has connected a provider receives money: the sandbox does not return while the provider is turned off.
  const isLive = rows.some(({ keys, isTest }) => keys !== null && !isTest)
  const isSandboxHidden = rows.some(({ provider, isEnabled }) => provider === 'sandbox' && !isEnabled)
  const offered = enabled.map(({ provider, isTest }) => ({ provider, isTest }))
  const isTestable = !isLive && (config.isLocal || filter.mayTest === true)
  const sandbox = isSandboxHidden ? [] : [{ provider: 'sandbox' as const, isTest: true }]
  return [...offered, ...sandbox]
    .filter(({ isTest }) => !isTest || isTestable)
    .flatMap((method) => toMethod(method.provider, method.isTest, filter))
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
