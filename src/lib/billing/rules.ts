import type { Actor } from '#lib/core/shared/actor.ts'
import { isPlanWritable } from '#lib/core/shared/plan.ts'
import { hasRole, type PlanGroup, type Role } from '#lib/core/shared/role.ts'
import { allow, deny, type Verdict } from '#lib/core/shared/verdict.ts'

/** Whether an actor may change data of a plan group: it is paid, or unpaid for at most seven days. Students are not restricted by the tenant's plan. */
export function canWriteInPlan(actor: Pick<Actor, 'accountType' | 'plans'>, group: PlanGroup, now: Date): Verdict {
  if (actor.accountType === 'ACCOUNT_TYPE_STUDENT') return allow('student')
  return isPlanWritable(actor.plans, group, now) ? allow('plan_active') : deny('plan_inactive')
}

/** May see and change what the school pays for: the owner only. */
export function canManageBilling(actor: { roles: readonly Role[] }): Verdict {
  return hasRole(actor, ['OWNER']) ? allow('owner') : deny('owner_only')
}
