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

/** As requireStorageAccess, for changes: refuses with plan_inactive while both plans of the tenant have lapsed. */
export function requireStorageWrite(actor: Actor, now = new Date()): void {
  requireStorageAccess(actor)
  const active = canWriteInPlan(actor, 'lms', now).allow || canWriteInPlan(actor, 'workshop', now).allow
  if (!active) throw new Refusal('plan_inactive')
}

/** Before an upload is looked up: staff need an active plan, whatever the upload is for. */
export function requireUploadWrite(actor: Actor): void {
  if (canManageFiles(actor).allow) requireStorageWrite(actor)
}

/**
 * After an upload is looked up: those of the file library require access to it, those of other modules are checked
 * there.
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
