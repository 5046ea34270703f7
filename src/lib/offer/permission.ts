import { requirePlan } from '#lib/billing/billing.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { canManageOffers } from './rules.ts'

/** Refuses with forbidden unless the actor may see and change offers. */
export function requireOfferReader(actor: Actor): void {
  const { allow, reason } = canManageOffers(actor)
  if (!allow) throw new Refusal('forbidden', { data: { reason } })
}

/** The same, and refuses with plan_inactive while the learning plan of the tenant has expired. */
export function requireOfferEditor(actor: Actor): void {
  requireOfferReader(actor)
  requirePlan(actor, 'lms')
}
