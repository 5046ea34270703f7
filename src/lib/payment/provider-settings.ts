import { asc, eq } from 'drizzle-orm'
import { addressOf } from '#lib/core/config/config.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import {
  askService,
  type KeyView,
  keysRefused,
  mergeKeys,
  recordKeyChange,
  requireProviderManager,
  viewKeys,
} from './key-settings.ts'
import type { PaymentProvider } from './provider.ts'
import { decryptKeys, encryptKeys, getProvider } from './provider-accounts.ts'
import { providers } from './providers/providers.ts'
import type { EnableProvider, KeyName, ProviderInput, ProviderName, SaveProvider } from './schema.ts'
import { paymentProviderSetting } from './table.ts'

type SettingRow = typeof paymentProviderSetting.$inferSelect

export type ProviderKeyView = KeyView<KeyName>

export interface ProviderSettingView {
  provider: ProviderName
  isEnabled: boolean
  isTest: boolean
  hasKeys: boolean
  checkedAt: Date | null
  checkOk: boolean | null
  keys: ProviderKeyView[]
  /** Staff confirm its payments. */
  isManual: boolean
  /** The address to be entered at the provider, where that is necessary. */
  callbackUrl: string
}

/** How the school receives money, without secrets. Refuses with forbidden. */
export async function listProviderSettings(actor: Actor): Promise<ProviderSettingView[]> {
  requireProviderManager(actor)
  const rows = await inTenant(actor, (tx) =>
    tx.select().from(paymentProviderSetting).orderBy(asc(paymentProviderSetting.provider)),
  )
  return [...providers.values()].map((provider) =>
    toProviderView(
      actor.tenantId,
      provider,
      rows.find((row) => row.provider === provider.name),
    ),
  )
}

/**
 * Stores the keys of a provider after the provider has accepted them, and offers it to buyers. An empty secret keeps the
 * stored one. Refuses with forbidden, invalid (keys), unprocessable (payment_keys_refused), unavailable and too_many.
 */
export async function saveProvider(actor: Actor, input: SaveProvider): Promise<void> {
  requireProviderManager(actor)
  const provider = getProvider(input.provider)
  if (provider.keyFields.length === 0) throw new Refusal('not_found')
  const stored = await inTenant(actor, (tx) => findSetting(tx, input.provider))
  const keys = mergeKeys(provider.keyFields, input.keys, stored?.keys ? decryptKeys(stored.keys) : null)
  const isTest = (input.isTest && !provider.isManual) || provider.isTestAccount(keys)
  if (!(await askService(actor, () => provider.checkKeys({ keys, isTest })))) throw keysRefused()
  const now = new Date()
  const values = { keys: encryptKeys(keys), isEnabled: true, isTest, checkedAt: now, checkOk: true, changedAt: now }
  await inTenant(actor, async (tx) => {
    await tx
      .insert(paymentProviderSetting)
      .values({ tenantId: actor.tenantId, provider: input.provider, ...values })
      .onConflictDoUpdate({
        target: [paymentProviderSetting.tenantId, paymentProviderSetting.provider],
        set: values,
      })
    await recordKeyChange(tx, actor, input.provider, stored, { enabled: true, testMode: isTest, keysReplaced: true })
  })
}

/**
 * Offers a provider to buyers, or no longer; callbacks about earlier payments are still accepted. Refuses with forbidden,
 * and not_found without keys.
 */
export async function setProviderEnabled(actor: Actor, { provider, isEnabled }: EnableProvider): Promise<void> {
  requireProviderManager(actor)
  const hasKeys = getProvider(provider).keyFields.length > 0
  await inTenant(actor, async (tx) => {
    const stored = await findSetting(tx, provider)
    if (hasKeys && !stored) throw new Refusal('not_found')
    if (stored?.isEnabled === isEnabled) return
    await tx
      .insert(paymentProviderSetting)
      .values({ tenantId: actor.tenantId, provider, isEnabled, isTest: !hasKeys })
      .onConflictDoUpdate({
        target: [paymentProviderSetting.tenantId, paymentProviderSetting.provider],
        set: { isEnabled, changedAt: new Date() },
      })
    await recordKeyChange(tx, actor, provider, stored, { enabled: isEnabled, testMode: stored?.isTest ?? true })
  })
}

/** Asks the provider whether it still accepts the stored keys. Refuses with forbidden, not_found, unavailable, too_many. */
export async function checkProvider(actor: Actor, { provider: name }: ProviderInput): Promise<{ isAccepted: boolean }> {
  requireProviderManager(actor)
  const stored = await inTenant(actor, (tx) => findSetting(tx, name))
  const keys = stored?.keys ? decryptKeys(stored.keys) : null
  if (!stored || !keys) throw new Refusal('not_found')
  const isAccepted = await askService(actor, () => getProvider(name).checkKeys({ keys, isTest: stored.isTest }))
  await inTenant(actor, (tx) =>
    tx
      .update(paymentProviderSetting)
      .set({ checkedAt: new Date(), checkOk: isAccepted })
      .where(eq(paymentProviderSetting.provider, name)),
  )
  return { isAccepted }
}

async function findSetting(tx: Tx, provider: ProviderName): Promise<SettingRow | null> {
  const [row] = await tx.select().from(paymentProviderSetting).where(eq(paymentProviderSetting.provider, provider))
  return row ?? null
}

function toProviderView(
  tenantId: string,
  { name, keyFields, isManual = false }: PaymentProvider,
  row: SettingRow | undefined,
): ProviderSettingView {
  const keys = row?.keys ? decryptKeys(row.keys) : null
  return {
    provider: name,
    isEnabled: row?.isEnabled ?? keyFields.length === 0,
    isTest: row?.isTest ?? keyFields.length === 0,
    hasKeys: keys !== null,
    checkedAt: row?.checkedAt ?? null,
    checkOk: row?.checkOk ?? null,
    keys: viewKeys(keyFields, keys),
    isManual,
    callbackUrl: addressOf(null, `/v1/payment/callback/${name}/${tenantId}`),
  }
}
