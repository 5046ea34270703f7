import { decrypt, encrypt } from '#lib/core/encryption.ts'
import { parseJsonObject } from '#lib/core/shared/text/json.ts'
import { checkbox } from './checkbox.ts'
import type { FiscalKeys, FiscalService } from './fiscal-provider.ts'
import { FISCAL_KEY_NAMES, type FiscalServiceName } from './schema.ts'

const ENCRYPTION_PURPOSE = 'fiscal-service-keys'

const SERVICES: Readonly<Record<FiscalServiceName, FiscalService>> = { checkbox }

/** The service with this name. */
export const getFiscalService = (name: FiscalServiceName): FiscalService => SERVICES[name]

/** Keys of a service as they are stored. */
export const encryptFiscalKeys = (keys: FiscalKeys): string => encrypt(ENCRYPTION_PURPOSE, JSON.stringify(keys))

/** Stored keys, or null when they cannot be decrypted. */
export function decryptFiscalKeys(encrypted: string): FiscalKeys | null {
  const text = decrypt(ENCRYPTION_PURPOSE, encrypted)
  const parsed = text === null ? null : parseJsonObject(text)
  if (!parsed) return null
  const known = FISCAL_KEY_NAMES.flatMap((name) => {
    const value = parsed[name]
    return typeof value === 'string' ? [[name, value] as const] : []
  })
  return Object.fromEntries(known)
}
