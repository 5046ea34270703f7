import { canWriteInPlan } from '#lib/billing/rules.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { FileArea } from '#lib/core/shared/stored-file.ts'
import { canManageFiles } from './rules.ts'

/** Refuses with forbidden whoever does not manage the school's files. */
export function requireStorageAccess(actor: Actor): void {
  const verdict = canManageFiles(actor)
  if (!verdict.allow) throw new Refusal('forbidden', { data: { because: verdict.because } })
}

/** The same for changes, which wait while both plans of the school have lapsed: then plan_inactive. */
export function requireStorageWrite(actor: Actor, now = new Date()): void {
  requireStorageAccess(actor)
  const active = canWriteInPlan(actor, 'lms', now).allow || canWriteInPlan(actor, 'workshop', now).allow
  if (!active) throw new Refusal('plan_inactive')
}

/** Before an upload of one's own is looked for: staff are held by a lapsed plan, whatever it is for. */
export function requireUploadWrite(actor: Actor): void {
  if (canManageFiles(actor).allow) requireStorageWrite(actor)
}

/** Once it is found: the storage's own are for those who manage it, what another room has begun is let through. */
export function requireAreaAccess(actor: Actor, area: FileArea): void {
  if (area === 'storage') requireStorageAccess(actor)
}

/** The same as a question, for pages that show what can be done. */
export function canWriteStorage(actor: Actor, now = new Date()): boolean {
  return (
    canManageFiles(actor).allow &&
    (canWriteInPlan(actor, 'lms', now).allow || canWriteInPlan(actor, 'workshop', now).allow)
  )
}
