import type { PlanGroup } from './role.ts'

export const PLANS = ['start', 'pro', 'max'] as const
export type Plan = (typeof PLANS)[number]

export const PERIODS = ['month', 'year'] as const
export type Period = (typeof PERIODS)[number]

/** A group's plan is active while its next payment date is in the future. */
export function isPlanActive(plans: readonly PlanView[], group: PlanGroup, now: Date): boolean {
  return plans.some((plan) => plan.group === group && plan.state === 'current' && isAfter(plan.nextPayment, now))
}

/** Whether an ISO instant is in the future. */
export function isAfter(instant: string | null, now: Date): boolean {
  return instant !== null && new Date(instant).getTime() > now.getTime()
}

/** One row of a school's plan in the login session. Instants are ISO strings. */
export interface PlanView {
  group: PlanGroup
  state: 'current' | 'pending'
  plan: Plan
  period: Period
  nextPayment: string | null
  trialEndsAt: string | null
}
