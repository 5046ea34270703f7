import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { formRefusal, Refusal } from '#lib/core/http/refusal.ts'
import type { Actor, AddOnView } from '#lib/core/shared/actor.ts'
import type { PlanView } from '#lib/core/shared/plan.ts'
import type { PlanGroup } from '#lib/core/shared/role.ts'
import { type Limit, limitOf } from './plans.ts'
import { canWriteInPlan } from './rules.ts'
import type { SetPlan } from './schema.ts'
import { addOn, subscription } from './table.ts'

/** Sets a tenant's plan in one group, replacing the one of the same state. */
export async function setPlan(row: SetPlan): Promise<void> {
  await inTenant(row, (tx) =>
    tx
      .insert(subscription)
      .values(row)
      .onConflictDoUpdate({
        target: [subscription.tenantId, subscription.group, subscription.state],
        set: { plan: row.plan, period: row.period, nextPayment: row.nextPayment, trialEndsAt: row.trialEndsAt },
      }),
  )
}

export interface TenantPlans {
  plans: PlanView[]
  addOns: (AddOnView & { group: PlanGroup })[]
}

/** The plans and add-ons of the transaction's tenant, for limits of actions without an actor, e.g. by guests. */
export async function getTenantPlans(tx: Tx): Promise<TenantPlans> {
  const { group, state, plan, period, nextPayment, trialEndsAt } = subscription
  const plans = await tx.select({ group, state, plan, period, nextPayment, trialEndsAt }).from(subscription)
  const addOns = await tx
    .select({ group: addOn.group, limit: addOn.limit, quantity: addOn.quantity, nextPayment: addOn.nextPayment })
    .from(addOn)
  return {
    plans: plans.map((row) => ({ ...row, nextPayment: toIso(row.nextPayment), trialEndsAt: toIso(row.trialEndsAt) })),
    addOns: addOns.map((row) => ({ ...row, nextPayment: toIso(row.nextPayment) })),
  }
}

/** Keys of the messages: each message states the limit and how it can be raised. */
const LIMIT_MESSAGES = {
  disc: 'limit_disc',
  student_count: 'limit_student_count',
  manager_count: 'limit_manager_count',
  conference_count: 'limit_conference_count',
  viewer_count: 'limit_viewer_count',
  course_count: 'limit_course_count',
  mentor_program_count: 'limit_mentor_program_count',
  workshop_count: 'limit_workshop_count',
} as const satisfies Record<Limit, string>

const toIso = (instant: Date | null): string | null => instant?.toISOString() ?? null

/** Requires that an actor may change data of a plan group. Refuses with plan_inactive. */
export function requirePlan(actor: Pick<Actor, 'accountType' | 'plans'>, group: PlanGroup, now = new Date()): void {
  if (!canWriteInPlan(actor, group, now).allow) throw new Refusal('plan_inactive', { variables: { plan: group } })
}

/**
 * Requires that one more of a limited object may be created, with `used` existing ones. Refuses with unprocessable; the
 * message states the limit, the numbers and how the limit can be raised.
 */
export function requireWithinLimit(
  actor: Pick<Actor, 'plans' | 'addOns'>,
  limit: Limit,
  used: number,
  now = new Date(),
): void {
  const max = limitOf(actor, limit, now)
  if (max === null || used < max) return
  throw formRefusal(LIMIT_MESSAGES[limit], { limit, max, used })
}
