import { hasRole, type Role } from '#lib/core/shared/role.ts'
import { allow, deny, type Verdict } from '#lib/core/shared/verdict.ts'
import type { OfferKind, OfferState } from './schema.ts'

/** May see, create and change offers. */
export function canManageOffers(actor: { roles: readonly Role[] }): Verdict {
  return hasRole(actor, ['OWNER', 'DIRECTOR', 'EXPERT']) ? allow('manages_content') : deny('no_offer_role')
}

export const OFFER_ACTIONS = ['activate', 'deactivate', 'archive', 'restore'] as const
export type OfferAction = (typeof OFFER_ACTIONS)[number]

const TRANSITIONS: Record<OfferState, Partial<Record<OfferAction, OfferState>>> = {
  draft: { activate: 'active', archive: 'archived' },
  active: { deactivate: 'draft', archive: 'archived' },
  archived: { restore: 'draft' },
}

/** The state after an action, or null where it is not allowed. */
export function nextOfferState(state: OfferState, action: OfferAction): OfferState | null {
  return TRANSITIONS[state][action] ?? null
}

/** Whether staff can try the checkout of an offer before it is on sale, by a test payment. */
export const isTestableDraft = ({ state, kind }: { state: OfferState; kind: OfferKind }): boolean =>
  state === 'draft' && kind !== 'free'

export interface SalesFacts {
  state: OfferState
  visibility: 'public' | 'link' | 'hidden'
  salesFrom: Date | null
  salesTo: Date | null
  seats: number | null
}

/** Why an offer cannot be bought now; null: it can. `takenCount` counts sold and reserved seats. */
export function salesObstacle(
  offer: SalesFacts,
  takenCount: number,
  now: Date,
): 'not_active' | 'not_started' | 'ended' | 'sold_out' | null {
  if (offer.state !== 'active' || offer.visibility === 'hidden') return 'not_active'
  if (offer.salesFrom && offer.salesFrom > now) return 'not_started'
  if (offer.salesTo && offer.salesTo <= now) return 'ended'
  return offer.seats !== null && takenCount >= offer.seats ? 'sold_out' : null
}

/** May see orders: managers all of them, experts those of their courses. */
export function canReadOrders(actor: { roles: readonly Role[] }): Verdict {
  if (hasRole(actor, ['OWNER', 'DIRECTOR'])) return allow('manages_school')
  return hasRole(actor, ['EXPERT']) ? allow('expert_of_course') : deny('no_order_role')
}

/** May return money and add notes. */
export function canRefundOrders(actor: { roles: readonly Role[] }): Verdict {
  return hasRole(actor, ['OWNER', 'DIRECTOR']) ? allow('manages_school') : deny('no_order_role')
}
