import { canWriteInPlan } from '#lib/billing/rules.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { FileArea } from '#lib/core/shared/storing.ts'
import { canStore } from './rules.ts'

/** Refuses with forbidden whoever does not manage the school's files. */
export function mustStore(actor: Actor): void {
  const verdict = canStore(actor)
  if (!verdict.allow) throw new Refusal('forbidden', { data: { because: verdict.because } })
}

/** The same for changes, which wait while both plans of the school have lapsed: then plan_inactive. */
export function mustChange(actor: Actor, now = new Date()): void {
  mustStore(actor)
  const active = canWriteInPlan(actor, 'lms', now).allow || canWriteInPlan(actor, 'workshop', now).allow
  if (!active) throw new Refusal('plan_inactive')
}

/** Before an upload of one's own is looked for: staff are held by a lapsed plan, whatever it is for. */
export function mustGoOn(actor: Actor): void {
  if (canStore(actor).allow) mustChange(actor)
}

/** Once it is found: the storage's own are for those who manage it, what another room has begun is let through. */
export function mustSend(actor: Actor, area: FileArea): void {
  if (area === 'storage') mustStore(actor)
}

/** The same as a question, for pages that show what can be done. */
export function canChange(actor: Actor, now = new Date()): boolean {
  return (
    canStore(actor).allow && (canWriteInPlan(actor, 'lms', now).allow || canWriteInPlan(actor, 'workshop', now).allow)
  )
}
