import { and, eq } from 'drizzle-orm'
import { config } from '#lib/core/config/config.ts'
import type { Tx } from '#lib/core/db/db.ts'
import { decrypt, encrypt } from '#lib/core/encryption.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { parseJsonObject } from '#lib/core/shared/text/json.ts'
import type { PaymentProvider, ProviderAccount, ProviderKeys } from './provider.ts'
import { providers } from './providers/providers.ts'
import type { PaymentPurpose, ProviderName } from './schema.ts'
import { paymentProviderSetting } from './table.ts'

const ENCRYPTION_PURPOSE = 'payment-provider-keys'

/** Keys of a provider as they are stored. */
export const encryptKeys = (keys: ProviderKeys): string => encrypt(ENCRYPTION_PURPOSE, JSON.stringify(keys))

/** The provider with this name. Refuses with not_found while it is not finished. */
export function getProvider(name: ProviderName): PaymentProvider {
  const provider = providers.get(name)
  if (!provider) throw new Refusal('not_found')
  return provider
}

/** The sandbox needs no keys. */
export const SANDBOX_ACCOUNT: ProviderAccount = { keys: {}, isTest: true }

/**
 * The account that receives the money of a purpose: the school's for orders, the installation's for plans. Null without
 * keys. A disabled provider keeps its account, since callbacks about earlier payments still arrive.
 */
export async function findAccount(
  tx: Tx,
  name: ProviderName,
  purpose: PaymentPurpose,
): Promise<ProviderAccount | null> {
  if (name === 'sandbox') return SANDBOX_ACCOUNT
  if (purpose === 'plan') return findInstallationAccount(name)
  const [row] = await tx
    .select({ keys: paymentProviderSetting.keys, isTest: paymentProviderSetting.isTest })
    .from(paymentProviderSetting)
    .where(and(eq(paymentProviderSetting.provider, name)))
  const keys = row?.keys ? decryptKeys(row.keys) : null
  return row && keys ? { keys, isTest: row.isTest } : null
}

/** The installation's own account at a provider, from PAYMENT_KEYS; null when there is none. */
export function findInstallationAccount(name: ProviderName): ProviderAccount | null {
  const keys = config.paymentKeys[name]
  return keys ? { keys, isTest: false } : null
}

/** Stored keys, or null when they cannot be decrypted. */
export function decryptKeys(encrypted: string): ProviderKeys | null {
  const text = decrypt(ENCRYPTION_PURPOSE, encrypted)
  const parsed = text === null ? null : parseJsonObject(text)
  if (!parsed) return null
  return Object.fromEntries(
    Object.entries(parsed).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
}
