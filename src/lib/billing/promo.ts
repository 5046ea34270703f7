import { createHash } from 'node:crypto'
import { and, eq, gt, ne, or } from 'drizzle-orm'
import { config } from '#lib/core/config/config.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { networkOf } from '#lib/core/http/address.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { countGuess } from '#lib/core/http/secret-guess.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { PlanGroup } from '#lib/core/shared/role.ts'
import { DAY_MS, HOUR_SECONDS } from '#lib/core/shared/time.ts'
import { requireBillingManager } from './overview.ts'
import type { PlanPromoInput } from './schema.ts'
import { planPurchase } from './table.ts'

/** A promo code of the installation: a discount on one payment for a plan. */
interface PlanPromo {
  code: string
  percent: number
}

/** A promo code that applies, or why the typed one does not, a key of `errors`; both null for an empty text. */
export interface FoundPromo {
  promo: PlanPromo | null
  problem: 'coupon_unknown' | 'coupon_ended' | 'coupon_used_by_you' | 'too_many' | null
}

/**
 * Finds the promo code of PLAN_PROMO_CODES that a school has typed. A school uses a code once: another group that is being
 * paid with it counts too, another attempt for the same group does not.
 */
export async function findPromo(
  tx: Tx,
  typed: string,
  { group, now }: { group: PlanGroup; now: Date },
): Promise<FoundPromo> {
  const code = typed.trim().toUpperCase()
  if (code === '') return { promo: null, problem: null }
  const found = config.planPromoCodes.get(code)
  if (!found) return { promo: null, problem: 'coupon_unknown' }
  if (found.until && found.until <= now) return { promo: null, problem: 'coupon_ended' }
  const isOpen = and(
    eq(planPurchase.state, 'new'),
    ne(planPurchase.group, group),
    gt(planPurchase.createdAt, new Date(now.getTime() - DAY_MS)),
  )
  const [used] = await tx
    .select({ id: planPurchase.id })
    .from(planPurchase)
    .where(and(eq(planPurchase.promoCode, code), or(eq(planPurchase.state, 'paid'), isOpen)))
    .limit(1)
  if (used) return { promo: null, problem: 'coupon_used_by_you' }
  return { promo: { code, percent: found.percent }, problem: null }
}

/** The same for the page of the plans; after too many wrong codes no code is looked up. Refuses with forbidden. */
export async function previewPromo(
  actor: Actor,
  { group, promo }: PlanPromoInput,
  now = new Date(),
): Promise<FoundPromo> {
  requireBillingManager(actor)
  const uncount = await countPromo(actor, promo).catch((error) => {
    if (error instanceof Refusal && error.code === 'too_many') return null
    throw error
  })
  if (!uncount) return { promo: null, problem: 'too_many' }
  const found = await inTenant(actor, (tx) => findPromo(tx, promo, { group, now }))
  if (found.problem !== 'coupon_unknown') await uncount()
  return found
}

// Anybody can open a school: guesses count for the school and for the network of its manager.
const WRONG_CODE_LIMIT = { limit: 10, windowSeconds: HOUR_SECONDS, maxWaitSeconds: 900 }

/**
 * Counts a typed promo code before it is looked up. Returns a function that takes the count back when the code exists.
 * Refuses with too_many.
 */
export async function countPromo({ tenantId, address }: Actor, code: string): Promise<() => Promise<void>> {
  if (code.trim() === '') return async () => undefined
  const subjects = [`plan-promo:${tenantId}`, ...(address ? [`plan-promo:${hashed(networkOf(address))}`] : [])]
  const uncounts: (() => Promise<void>)[] = []
  for (const subject of subjects) uncounts.push(await countGuess(subject, code, WRONG_CODE_LIMIT))
  return async () => {
    for (const uncount of uncounts) await uncount()
  }
}

const hashed = (text: string): string => createHash('sha256').update(text).digest('base64url')

/** The discount of a promo code on an amount, both in minor units, rounded to the nearest one. */
export const promoDiscount = (amount: number, promo: PlanPromo | null): number =>
  promo ? Math.floor((amount * promo.percent + 50) / 100) : 0
