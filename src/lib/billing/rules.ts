import type { Actor, PlanView } from '#lib/core/shared/actor.ts'
import type { PlanGroup } from '#lib/core/shared/role.ts'
import { allow, deny, type Verdict } from '#lib/core/shared/verdict.ts'

export interface PlanState {
  active: boolean
  trial: boolean
  plan: PlanView['plan'] | null
  /** ISO instant. */
  nextPayment: string | null
}

/** A group's plan at an instant: active while its next payment lies in the future, on trial while that lasts. */
export function planState(plans: readonly PlanView[], group: PlanGroup, now: Date): PlanState {
  const row = plans.find((plan) => plan.group === group && plan.state === 'current')
  if (!row) return { active: false, trial: false, plan: null, nextPayment: null }
  return {
    active: isAfter(row.nextPayment, now),
    trial: isAfter(row.trialEndsAt, now),
    plan: row.plan,
    nextPayment: row.nextPayment,
  }
}

/** Whether a person may change things of a plan group. Students are never held back by the school's plan. */
export function canWrite(actor: Pick<Actor, 'accountType' | 'plans'>, group: PlanGroup, now: Date): Verdict {
  if (actor.accountType === 'ACCOUNT_TYPE_STUDENT') return allow('student')
  return planState(actor.plans, group, now).active ? allow('plan_active') : deny('plan_inactive')
}

/** Whether an ISO instant lies in the future. */
export function isAfter(instant: string | null, now: Date): boolean {
  return instant !== null && new Date(instant).getTime() > now.getTime()
}
