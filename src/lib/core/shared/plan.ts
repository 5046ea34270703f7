import type { PlanGroup } from './role.ts'
import { DAY_MS } from './time.ts'

export const PLANS = ['start', 'pro', 'max'] as const
export type Plan = (typeof PLANS)[number]

export const PERIODS = ['month', 'year'] as const
export type Period = (typeof PERIODS)[number]

/** A group's plan is active while its next payment date is in the future. */
export function isPlanActive(plans: readonly PlanView[], group: PlanGroup, now: Date): boolean {
  return plans.some((plan) => plan.group === group && plan.state === 'current' && isAfter(plan.nextPayment, now))
}

/** Days after the end of a paid period in which everything still works; a trial has none. */
export const PLAN_GRACE_DAYS = 7

/** The end of the days of grace of a plan that is not paid; null where it has none. */
export function graceEndOf({ nextPayment, trialEndsAt }: Pick<PlanView, 'nextPayment' | 'trialEndsAt'>): Date | null {
  if (nextPayment === null || trialEndsAt !== null) return null
  return new Date(new Date(nextPayment).getTime() + PLAN_GRACE_DAYS * DAY_MS)
}

/** Whether data of a group may be changed: its plan is active, or unpaid for a few days only. */
export function isPlanWritable(plans: readonly PlanView[], group: PlanGroup, now: Date): boolean {
  if (isPlanActive(plans, group, now)) return true
  return plans.some((plan) => plan.group === group && plan.state === 'current' && isPastDue(plan, now))
}

/** Whether a plan is not paid and its days of grace have not ended. */
export function isPastDue(plan: Pick<PlanView, 'nextPayment' | 'trialEndsAt'>, now: Date): boolean {
  const graceEnd = graceEndOf(plan)
  return !isAfter(plan.nextPayment, now) && graceEnd !== null && graceEnd > now
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
