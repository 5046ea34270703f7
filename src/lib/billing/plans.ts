import type { AddOnView } from '#lib/core/shared/actor.ts'
import type { Period, PlanView } from '#lib/core/shared/plan.ts'
import { isAfter, PLAN_GRACE_DAYS, type Plan } from '#lib/core/shared/plan.ts'
import type { PlanGroup } from '#lib/core/shared/role.ts'
import { DAY_MS } from '#lib/core/shared/time.ts'

/** The numeric limits, by the names of the specification. `disc` is in gigabytes. */
export const LIMITS = [
  'student_count',
  'course_count',
  'mentor_program_count',
  'workshop_count',
  'conference_count',
  'viewer_count',
  'manager_count',
  'disc',
] as const
export type Limit = (typeof LIMITS)[number]

/** The labels of the specification that a plan is compared by, in the order of the comparison. */
export const PLAN_FEATURES = ['description', ...LIMITS, 'support', 'key_features'] as const

/** Prices in minor units of BILLING_CURRENCY, by how often they are paid. */
export type Prices = Readonly<Record<Period, number>>

/**
 * What a plan costs and allows. Null means unlimited; a group has no value for limits of the other group. The texts of
 * `description` and `key_features` are in `billing:description` and `billing:key_features`.
 */
export interface PlanOffer extends Partial<Record<Limit, number | null>> {
  prices: Prices
  support: 'mail' | 'chat' | 'manager'
}

export const BILLING_CURRENCY = 'UAH'
export const TRIAL_DAYS = 14
export const TRIAL_PLAN: Plan = 'pro'

/** The plans of both groups; the only place where their prices and limits are defined. */
export const PLAN_OFFERS: Readonly<Record<PlanGroup, Readonly<Record<Plan, PlanOffer>>>> = {
  lms: {
    start: {
      prices: { month: 49_000, year: 490_000 },
      student_count: 100,
      course_count: 3,
      mentor_program_count: 1,
      manager_count: 3,
      disc: 20,
      support: 'mail',
    },
    pro: {
      prices: { month: 149_000, year: 1_490_000 },
      student_count: 1000,
      course_count: 30,
      mentor_program_count: 10,
      manager_count: 10,
      disc: 200,
      support: 'chat',
    },
    max: {
      prices: { month: 399_000, year: 3_990_000 },
      student_count: null,
      course_count: null,
      mentor_program_count: null,
      manager_count: 50,
      disc: 1000,
      support: 'manager',
    },
  },
  workshop: {
    start: {
      prices: { month: 39_000, year: 390_000 },
      workshop_count: 3,
      conference_count: 1,
      viewer_count: 50,
      manager_count: 3,
      disc: 20,
      support: 'mail',
    },
    pro: {
      prices: { month: 129_000, year: 1_290_000 },
      workshop_count: 20,
      conference_count: 2,
      viewer_count: 300,
      manager_count: 10,
      disc: 100,
      support: 'chat',
    },
    max: {
      prices: { month: 349_000, year: 3_490_000 },
      workshop_count: null,
      conference_count: 5,
      viewer_count: 1000,
      manager_count: 50,
      disc: 500,
      support: 'manager',
    },
  },
}

/** What can be added to a plan: how much one unit is, and what it costs. */
export interface AddOnOffer {
  unit: number
  prices: Prices
}

/** The add-ons of both groups, in the order of the page. */
export const ADD_ON_OFFERS: Readonly<Record<PlanGroup, Readonly<Partial<Record<Limit, AddOnOffer>>>>> = {
  lms: {
    student_count: { unit: 100, prices: { month: 20_000, year: 200_000 } },
    course_count: { unit: 10, prices: { month: 20_000, year: 200_000 } },
    manager_count: { unit: 1, prices: { month: 10_000, year: 100_000 } },
    disc: { unit: 50, prices: { month: 10_000, year: 100_000 } },
  },
  workshop: {
    workshop_count: { unit: 10, prices: { month: 20_000, year: 200_000 } },
    viewer_count: { unit: 100, prices: { month: 40_000, year: 400_000 } },
    manager_count: { unit: 1, prices: { month: 10_000, year: 100_000 } },
    disc: { unit: 50, prices: { month: 10_000, year: 100_000 } },
  },
}

/**
 * The value of a limit by a tenant's plans and add-ons; null is unlimited, 0 where no plan has it. Disc space of both
 * groups is added up, of other limits the higher one counts. Add-ons keep counting in the days of grace.
 */
export function limitOf(school: { plans: readonly PlanView[]; addOns: readonly AddOnView[] }, limit: Limit, now: Date) {
  const values = school.plans
    .filter(({ state }) => state === 'current')
    .map(({ group, plan }) => PLAN_OFFERS[group][plan][limit])
    .filter((value) => value !== undefined)
  if (values.includes(null)) return null
  const numbers = values.filter((value) => value !== null)
  const addOnQuantity = school.addOns
    .filter(
      (addOn) =>
        addOn.limit === limit && isAfter(addOn.nextPayment, new Date(now.getTime() - PLAN_GRACE_DAYS * DAY_MS)),
    )
    .reduce((sum, { quantity }) => sum + quantity, 0)
  const base = limit === 'disc' ? numbers.reduce((sum, value) => sum + value, 0) : Math.max(0, ...numbers)
  return base + addOnQuantity
}
