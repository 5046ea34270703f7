import { eq } from 'drizzle-orm'
import { recordAuditEntry } from '#lib/audit/audit.ts'
import type { AuditValues } from '#lib/audit/values-schema.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { countAttempt } from '#lib/core/http/throttle.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { HOUR_SECONDS } from '#lib/core/shared/time.ts'
import { ProviderUnavailable } from '../provider.ts'
import { canManageProviders } from '../rules.ts'
import { decryptFiscalKeys, encryptFiscalKeys, getFiscalService } from './fiscal-accounts.ts'
import type { FiscalKeys, FiscalService } from './fiscal-provider.ts'
import {
  type EnableFiscalService,
  FISCAL_SERVICES,
  type FiscalServiceName,
  type FiscalSettingView,
  type SaveFiscalService,
} from './schema.ts'
import { fiscalSetting } from './table.ts'

/** Checks that an owner may start in an hour: each asks the service. */
const CHECKS = { limit: 20, windowSeconds: HOUR_SECONDS }

type SettingRow = typeof fiscalSetting.$inferSelect

/** How the school registers fiscal receipts, without secrets. Refuses with forbidden. */
export async function listFiscalSettings(actor: Actor): Promise<FiscalSettingView[]> {
  requireOwner(actor)
  const [row] = await inTenant(actor, (tx) => tx.select().from(fiscalSetting))
  return FISCAL_SERVICES.map((service) => viewOf(getFiscalService(service), row?.service === service ? row : undefined))
}

/**
 * Stores the keys of a fiscal service after the service has accepted them; from then on payments get receipts. An empty
 * secret keeps the stored one. Refuses with forbidden, invalid (keys), unprocessable (payment_keys_refused), unavailable
 * and too_many.
 */
export async function saveFiscalService(actor: Actor, input: SaveFiscalService): Promise<void> {
  requireOwner(actor)
  const service = getFiscalService(input.service)
  const stored = await inTenant(actor, (tx) => findSetting(tx, input.service))
  const keys = mergeKeys(service, input.keys, stored ? decryptFiscalKeys(stored.keys) : null)
  await countAttempt(`payment-check:${actor.tenantId}`, CHECKS)
  const accepted = await service.checkKeys(keys).catch((error: unknown) => {
    if (error instanceof ProviderUnavailable)
      throw new Refusal('unavailable', { message: 'payment_check_unavailable' }, { cause: error })
    throw error
  })
  if (!accepted) throw new Refusal('unprocessable', { fields: { form: ['payment_keys_refused'] } })
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
    await record(tx, actor, input.service, stored, after)
  })
}

/** Registers receipts, or no longer; receipts that wait are kept. Refuses with forbidden, not_found without keys. */
export async function setFiscalEnabled(actor: Actor, { service, isEnabled }: EnableFiscalService): Promise<void> {
  requireOwner(actor)
  await inTenant(actor, async (tx) => {
    const stored = await findSetting(tx, service)
    if (!stored) throw new Refusal('not_found')
    if (stored.isEnabled === isEnabled) return
    await tx.update(fiscalSetting).set({ isEnabled, changedAt: new Date() }).where(eq(fiscalSetting.service, service))
    await record(tx, actor, service, stored, { enabled: isEnabled, testMode: stored.isTest })
  })
}

function requireOwner(actor: Actor): void {
  const verdict = canManageProviders(actor)
  if (!verdict.allow) throw new Refusal('forbidden', { data: { reason: verdict.reason } })
}

async function findSetting(tx: Tx, service: FiscalServiceName): Promise<SettingRow | null> {
  const [row] = await tx.select().from(fiscalSetting).where(eq(fiscalSetting.service, service))
  return row ?? null
}

function mergeKeys({ keyFields }: FiscalService, typed: FiscalKeys, stored: FiscalKeys | null): FiscalKeys {
  const fields: Record<string, string[]> = {}
  const keys: FiscalKeys[] = []
  for (const { name, pattern, isOptional, isSecret } of keyFields) {
    const value = typed[name]?.trim() || (isSecret ? stored?.[name] : undefined) || ''
    if (value === '' && !isOptional) fields[name] = ['required']
    else if (value !== '' && !pattern.test(value)) fields[name] = ['format']
    else if (value !== '') keys.push({ [name]: value })
  }
  if (Object.keys(fields).length > 0) throw new Refusal('invalid', { fields })
  return Object.assign({}, ...keys)
}

function viewOf({ name, keyFields }: FiscalService, row: SettingRow | undefined): FiscalSettingView {
  const keys = row ? decryptFiscalKeys(row.keys) : null
  return {
    service: name,
    isEnabled: row?.isEnabled ?? false,
    isTest: row?.isTest ?? false,
    hasKeys: keys !== null,
    checkedAt: row?.checkedAt ?? null,
    keys: keyFields.map((field) => ({
      name: field.name,
      isSecret: field.isSecret,
      isOptional: field.isOptional ?? false,
      isStored: keys?.[field.name] !== undefined,
      value: field.isSecret ? null : (keys?.[field.name] ?? null),
    })),
  }
}

function record(
  tx: Tx,
  actor: Actor,
  service: FiscalServiceName,
  before: SettingRow | null,
  after: AuditValues,
): Promise<void> {
  return recordAuditEntry(tx, actor, {
    action: 'payment.provider_changed',
    objectId: actor.tenantId,
    objectName: service,
    ...(before && { before: { enabled: before.isEnabled, testMode: before.isTest } }),
    after,
  })
}
