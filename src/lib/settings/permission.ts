import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { canManageSettings } from './rules.ts'

/** Refuses with forbidden an actor who may not change the settings of the school. */
export function requireSettingsManager(actor: Actor): void {
  const verdict = canManageSettings(actor)
  if (!verdict.allow) throw new Refusal('forbidden', { data: { reason: verdict.reason } })
}
