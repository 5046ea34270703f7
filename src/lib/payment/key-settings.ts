import { recordAuditEntry } from '#lib/audit/audit.ts'
import type { AuditValues } from '#lib/audit/values-schema.ts'
import type { Tx } from '#lib/core/db/db.ts'
import { formRefusal, Refusal } from '#lib/core/http/refusal.ts'
import { countAttempt } from '#lib/core/http/throttle.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { HOUR_SECONDS } from '#lib/core/shared/time.ts'
import { type KeyField, ProviderUnavailable } from './provider.ts'
import { canManageProviders } from './rules.ts'

/* The keys of payment providers and of fiscal services are entered, checked and shown in the same way. */

/** Checks that an owner may start in an hour: each asks the service. */
const CHECKS = { limit: 20, windowSeconds: HOUR_SECONDS }

type Keys<Name extends string> = Readonly<Partial<Record<Name, string>>>

export interface KeyView<Name extends string> {
  name: Name
  isSecret: boolean
  isOptional: boolean
  isStored: boolean
  /** Only of keys that are no secret. */
  value: string | null
}

/** Refuses with forbidden unless the actor manages how the school receives money. */
export function requireProviderManager(actor: Actor): void {
  const verdict = canManageProviders(actor)
  if (!verdict.allow) throw new Refusal('forbidden', { data: { reason: verdict.reason } })
}

/** The entered keys, with the stored secret for an empty one. Refuses with invalid, with the error of each field. */
export function mergeKeys<Name extends string>(
  keyFields: readonly KeyField<Name>[],
  entered: Keys<Name>,
  stored: Keys<Name> | null,
): Record<string, string> {
  const fields: Record<string, string[]> = {}
  const keys: Record<string, string> = {}
  for (const { name, pattern, isOptional, isSecret, normalize, isValid, problem = 'format' } of keyFields) {
    const typed = entered[name]?.trim() || (isSecret ? stored?.[name] : undefined) || ''
    const value = normalize?.(typed) ?? typed
    if (value === '' && !isOptional) fields[name] = ['required']
    else if (value !== '' && !(pattern.test(value) && (isValid?.(value) ?? true))) fields[name] = [problem]
    else if (value !== '') keys[name] = value
  }
  if (Object.keys(fields).length > 0) throw new Refusal('invalid', { fields })
  return keys
}

/** Stored keys without the secrets. */
export function viewKeys<Name extends string>(
  keyFields: readonly KeyField<Name>[],
  keys: Keys<Name> | null,
): KeyView<Name>[] {
  return keyFields.map(({ name, isSecret, isOptional = false }) => ({
    name,
    isSecret,
    isOptional,
    isStored: keys?.[name] !== undefined,
    value: isSecret ? null : (keys?.[name] ?? null),
  }))
}

/** Asks a service about keys. Refuses with too_many, and with unavailable when the service does not answer. */
export async function askService<Result>({ tenantId }: Actor, ask: () => Promise<Result>): Promise<Result> {
  await countAttempt(`payment-check:${tenantId}`, CHECKS)
  try {
    return await ask()
  } catch (error) {
    if (error instanceof ProviderUnavailable)
      throw new Refusal('unavailable', { message: 'payment_check_unavailable' }, { cause: error })
    throw error
  }
}

/** Keys that the service does not accept. */
export const keysRefused = (): Refusal => formRefusal('payment_keys_refused')

/** Records in the audit log how the settings of a service changed. */
export function recordKeyChange(
  tx: Tx,
  actor: Actor,
  service: string,
  before: { isEnabled: boolean; isTest: boolean } | null,
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
