import { requirePlan } from '#lib/billing/billing.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { Verdict } from '#lib/core/shared/verdict.ts'
import { canUseInbox } from './rules.ts'

/** Refuses with forbidden and the reason unless the verdict allows. */
export function requireInboxVerdict(verdict: Verdict): void {
  if (!verdict.allow) throw new Refusal('forbidden', { data: { reason: verdict.reason } })
}

/** Refuses with forbidden unless the actor has an inbox. */
export const requireInbox = (actor: Actor): void => requireInboxVerdict(canUseInbox(actor))

/** The same for changes: refuses with plan_inactive while the plan of the school has expired. */
export function requireInboxChange(actor: Actor): void {
  requireInbox(actor)
  requirePlan(actor, 'lms')
}
