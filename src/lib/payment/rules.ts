import type { Actor } from '#lib/core/shared/actor.ts'
import { hasRole } from '#lib/core/shared/role.ts'
import { MINUTE_MS } from '#lib/core/shared/time.ts'
import { allow, deny, type Verdict } from '#lib/core/shared/verdict.ts'
import type { PaymentStatus } from './schema.ts'

/** A payment is polled when no callback has arrived for this time. */
export const FIRST_POLL_MS = 15 * MINUTE_MS

/** Whether an actor may see and change how the school receives money. */
export function canManageProviders(actor: Pick<Actor, 'roles'>): Verdict {
  return hasRole(actor, ['OWNER']) ? allow('owner') : deny('owner_only')
}

// A status is replaced by one of a higher rank only, so that the order in which callbacks arrive does not matter. A buyer
// whose card was refused may pay with another one, so success follows error and canceled, never the reverse.
const RANK: Record<PaymentStatus, number> = {
  new: 0,
  pending: 1,
  error: 2,
  canceled: 2,
  subscribed: 3,
  success: 3,
  'recurrent refund': 4,
}

/** The effect of a reported status on a payment: `applied` changes it, `repeated` and `outdated` do not. */
export function decideStatus(current: PaymentStatus, reported: PaymentStatus): 'applied' | 'repeated' | 'outdated' {
  if (current === reported) return 'repeated'
  return RANK[reported] > RANK[current] ? 'applied' : 'outdated'
}

/** Whether the provider has not decided yet. */
export const isOpenStatus = (status: PaymentStatus): boolean => RANK[status] < 2

/** Whether money was received: by the payment itself or, for a subscription, by its charges. */
export const isPaidStatus = (status: PaymentStatus): boolean => status === 'success' || status === 'subscribed'
