import { eq } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import {
  askService,
  keysRefused,
  mergeKeys,
  recordKeyChange,
  requireProviderManager,
  viewKeys,
} from '../key-settings.ts'
import { decryptFiscalKeys, encryptFiscalKeys, getFiscalService } from './fiscal-accounts.ts'
import type { FiscalService } from './fiscal-provider.ts'
import {
  type EnableFiscalService,
  FISCAL_SERVICES,
  type FiscalServiceName,
  type FiscalSettingView,
  type SaveFiscalService,
} from './schema.ts'
import { fiscalSetting } from './table.ts'

type SettingRow = typeof fiscalSetting.$inferSelect

/** How the school registers fiscal receipts, without secrets. Refuses with forbidden. */
export async function listFiscalSettings(actor: Actor): Promise<FiscalSettingView[]> {
  requireProviderManager(actor)
  const [row] = await inTenant(actor, (tx) => tx.select().from(fiscalSetting))
  return FISCAL_SERVICES.map((service) =>
    toFiscalView(getFiscalService(service), row?.service === service ? row : undefined),
  )
}

/**
 * Stores the keys of a fiscal service after the service has accepted them; from then on payments get receipts. An empty
 * secret keeps the stored one. Refuses with forbidden, invalid (keys), unprocessable (payment_keys_refused), unavailable
 * and too_many.
 */
export async function saveFiscalService(actor: Actor, input: SaveFiscalService): Promise<void> {
  requireProviderManager(actor)
  const service = getFiscalService(input.service)
  const stored = await inTenant(actor, (tx) => findSetting(tx, input.service))
  const keys = mergeKeys(service.keyFields, input.keys, stored ? decryptFiscalKeys(stored.keys) : null)
  const accepted = await askService(actor, () => service.checkKeys(keys))
  if (!accepted) throw keysRefused()
  const now = new Date()
  const values = {
    service: input.service,
    keys: encryptFiscalKeys(keys),
    isEnabled: true,
    isTest: accepted.isTest,
    checkedAt: now,
    changedAt: now,
  }
  await inTenant(actor, async (tx) => {
    await tx
      .insert(fiscalSetting)
      .values({ tenantId: actor.tenantId, ...values })
      .onConflictDoUpdate({ target: [fiscalSetting.tenantId], set: values })
    const after = { enabled: true, testMode: accepted.isTest, keysReplaced: true }
    await recordKeyChange(tx, actor, input.service, stored, after)
  })
}

/** Registers receipts, or no longer; receipts that wait are kept. Refuses with forbidden, not_found without keys. */
export async function setFiscalEnabled(actor: Actor, { service, isEnabled }: EnableFiscalService): Promise<void> {
  requireProviderManager(actor)
  await inTenant(actor, async (tx) => {
    const stored = await findSetting(tx, service)
    if (!stored) throw new Refusal('not_found')
    if (stored.isEnabled === isEnabled) return
    await tx.update(fiscalSetting).set({ isEnabled, changedAt: new Date() }).where(eq(fiscalSetting.service, service))
    await recordKeyChange(tx, actor, service, stored, { enabled: isEnabled, testMode: stored.isTest })
  })
}

async function findSetting(tx: Tx, service: FiscalServiceName): Promise<SettingRow | null> {
  const [row] = await tx.select().from(fiscalSetting).where(eq(fiscalSetting.service, service))
  return row ?? null
}

function toFiscalView({ name, keyFields }: FiscalService, row: SettingRow | undefined): FiscalSettingView {
  const keys = row ? decryptFiscalKeys(row.keys) : null
  return {
    service: name,
    isEnabled: row?.isEnabled ?? false,
    isTest: row?.isTest ?? false,
    hasKeys: keys !== null,
    checkedAt: row?.checkedAt ?? null,
    keys: viewKeys(keyFields, keys),
  }
}
