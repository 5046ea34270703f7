import type { Actor, AddOnView, PlanView } from '#lib/core/shared/actor.ts'
import type { PlanGroup } from '#lib/core/shared/role.ts'
import { allow, deny, type Verdict } from '#lib/core/shared/verdict.ts'
import { type Limit, PLAN_LIMITS } from './plans.ts'

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

/**
 * What a school's plans and add-ons allow of a thing; null is without limit, 0 where no plan names it.
 * Disc space of two groups adds up, of the rest the better one counts.
 */
export function limitOf(school: { plans: readonly PlanView[]; addOns: readonly AddOnView[] }, limit: Limit, now: Date) {
  const named = school.plans
    .filter(({ state }) => state === 'current')
    .map(({ group, plan }) => PLAN_LIMITS[group][plan][limit])
    .filter((value) => value !== undefined)
  if (named.includes(null)) return null
  const numbers = named.filter((value) => value !== null)
  const bought = school.addOns
    .filter((addOn) => addOn.limit === limit && isAfter(addOn.nextPayment, now))
    .reduce((sum, { quantity }) => sum + quantity, 0)
  const base = limit === 'disc' ? numbers.reduce((sum, value) => sum + value, 0) : Math.max(0, ...numbers)
  return base + bought
}

function isAfter(instant: string | null, now: Date): boolean {
  return instant !== null && new Date(instant).getTime() > now.getTime()
}
