import { inTenant } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { isAfter, type PlanView } from '#lib/core/shared/plan.ts'
import { PLAN_GROUPS, type PlanGroup } from '#lib/core/shared/role.ts'
import { getTenantPlans } from './billing.ts'
import { canManageBilling } from './rules.ts'
import { type LimitUsage, listUsage, type UsageCounters } from './usage.ts'

/** The plan of one group as the owner sees it. */
export interface GroupPlan {
  group: PlanGroup
  /** Null: the school has never had a plan of this group. */
  current: PlanView | null
  phase: 'trial' | 'active' | 'inactive'
}

export interface BillingView {
  groups: GroupPlan[]
  usage: LimitUsage[]
}

/** What the school pays for and how much of it is used. Refuses with forbidden everyone but the owner. */
export async function getBilling(actor: Actor, counters: UsageCounters, now = new Date()): Promise<BillingView> {
  requireBillingManager(actor)
  return inTenant(actor, async (tx) => {
    const school = { tenantId: actor.tenantId, ...(await getTenantPlans(tx)) }
    const usage = await listUsage(tx, school, counters, now)
    return { groups: PLAN_GROUPS.map((group) => groupPlanOf(school.plans, group, now)), usage }
  })
}

/** Refuses with forbidden unless the actor may see and change what the school pays for. */
function requireBillingManager(actor: Actor): void {
  const { allow, reason } = canManageBilling(actor)
  if (!allow) throw new Refusal('forbidden', { data: { reason } })
}

function groupPlanOf(plans: readonly PlanView[], group: PlanGroup, now: Date): GroupPlan {
  const current = plans.find((plan) => plan.group === group && plan.state === 'current') ?? null
  if (!current || !isAfter(current.nextPayment, now)) return { group, current, phase: 'inactive' }
  return { group, current, phase: current.trialEndsAt ? 'trial' : 'active' }
}
