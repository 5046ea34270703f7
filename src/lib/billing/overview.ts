import { inTenant } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { graceEndOf, isAfter, isPastDue, type PlanView } from '#lib/core/shared/plan.ts'
import { PLAN_GROUPS, type PlanGroup } from '#lib/core/shared/role.ts'
import { getTenantPlans } from './billing.ts'
import { applicable, type GroupState, loadGroup, nextChoice, priceOf, quantitiesOf } from './group-plan.ts'
import { canManageBilling } from './rules.ts'
import type { ChangePlan } from './schema.ts'
import { type LimitUsage, listUsage, type UsageCounters } from './usage.ts'

/** The plan of one group as the owner sees it. */
export interface GroupPlan extends GroupState {
  group: PlanGroup
  /** Null: the school has never had a plan of this group. */
  current: PlanView | null
  phase: 'trial' | 'active' | 'pastDue' | 'inactive'
  /** The last day on which an unpaid plan still works. */
  graceEnd: Date | null
  /** What the next period costs, in minor units. */
  nextAmount: number
}

export interface BillingView {
  groups: GroupPlan[]
  usage: LimitUsage[]
}

/** What the school pays for and how much of it is used. Refuses with forbidden everyone but the owner. */
export async function getBilling(actor: Actor, counters: UsageCounters, now = new Date()): Promise<BillingView> {
  requireBillingManager(actor)
  const { tenantId } = actor
  return inTenant(actor, async (tx) => {
    const school = { tenantId, ...(await getTenantPlans(tx)) }
    const usage = await listUsage(tx, school, counters, now)
    const states = await Promise.all(PLAN_GROUPS.map((group) => loadGroup(tx, tenantId, group)))
    const groups = states.map((state, index) => groupPlanOf(school.plans, PLAN_GROUPS[index] ?? 'lms', state, now))
    return { groups, usage }
  })
}

/** The limits that a change of the plan would leave exceeded, with the present usage. Refuses with forbidden. */
export async function listExceeded(
  actor: Actor,
  input: ChangePlan,
  counters: UsageCounters,
  now = new Date(),
): Promise<LimitUsage[]> {
  requireBillingManager(actor)
  const { group } = input
  const { plan, period, addOns } = applicable(group, input)
  return inTenant(actor, async (tx) => {
    const school = await getTenantPlans(tx)
    const nextPayment = new Date(now.getTime() + 1).toISOString()
    const changed: PlanView = { group, plan, period, state: 'current', nextPayment, trialEndsAt: null }
    const plans = [...school.plans.filter((known) => known.group !== group), changed]
    const others = school.addOns.filter((addOn) => addOn.group !== group)
    const bought = quantitiesOf(group, addOns).map((addOn) => ({ ...addOn, group, nextPayment }))
    const usage = await listUsage(
      tx,
      { tenantId: actor.tenantId, plans, addOns: [...others, ...bought] },
      counters,
      now,
    )
    return usage.filter(({ used, max }) => max !== null && used > max)
  })
}

/** Refuses with forbidden unless the actor may see and change what the school pays for. */
export function requireBillingManager(actor: Actor): void {
  const { allow, reason } = canManageBilling(actor)
  if (!allow) throw new Refusal('forbidden', { data: { reason } })
}

function groupPlanOf(plans: readonly PlanView[], group: PlanGroup, state: GroupState, now: Date): GroupPlan {
  const current = plans.find((plan) => plan.group === group && plan.state === 'current') ?? null
  const next = nextChoice(state)
  const view = {
    ...state,
    group,
    current,
    nextAmount: next ? priceOf(group, next) : 0,
    graceEnd: current && graceEndOf(current),
  }
  if (current && isPastDue(current, now)) return { ...view, phase: 'pastDue' }
  if (!current || !isAfter(current.nextPayment, now)) return { ...view, phase: 'inactive' }
  return { ...view, phase: current.trialEndsAt ? 'trial' : 'active' }
}
