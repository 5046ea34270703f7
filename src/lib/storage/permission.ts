import { canWriteInPlan } from '#lib/billing/rules.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { FileArea } from '#lib/core/shared/stored-file.ts'
import { canManageFiles } from './rules.ts'

/** Refuses with forbidden an actor who does not manage files. */
export function requireStorageAccess(actor: Actor): void {
  const verdict = canManageFiles(actor)
  if (!verdict.allow) throw new Refusal('forbidden', { data: { reason: verdict.reason } })
}

/** As requireStorageAccess, for changes: refuses with plan_inactive when both plans of the tenant have expired. */
export function requireStorageWrite(actor: Actor, now = new Date()): void {
  requireStorageAccess(actor)
  const active = canWriteInPlan(actor, 'lms', now).allow || canWriteInPlan(actor, 'workshop', now).allow
  if (!active) throw new Refusal('plan_inactive')
}

/** Called before an upload is loaded: staff need an active plan, regardless of the purpose of the upload. */
export function requireUploadWrite(actor: Actor): void {
  if (canManageFiles(actor).allow) requireStorageWrite(actor)
}

/**
 * Called after an upload is loaded: those of the file library require access to it, those of other modules are checked
 * by these modules.
 */
export function requireAreaAccess(actor: Actor, area: FileArea): void {
  if (area === 'storage') requireStorageAccess(actor)
}

/** Whether the actor may change files, for pages that show the actions. */
export function canWriteStorage(actor: Actor, now = new Date()): boolean {
  return (
    canManageFiles(actor).allow &&
    (canWriteInPlan(actor, 'lms', now).allow || canWriteInPlan(actor, 'workshop', now).allow)
  )
}
