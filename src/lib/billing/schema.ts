import { z } from 'zod'
import { PERIODS, PLANS } from '#lib/core/shared/plan.ts'
import { PLAN_GROUPS } from '#lib/core/shared/role.ts'
import { PROVIDERS } from '#lib/payment/schema.ts'

/** The limits that can be raised by add-ons. */
export const ADD_ON_LIMITS = [
  'student_count',
  'course_count',
  'workshop_count',
  'viewer_count',
  'manager_count',
  'disc',
] as const

/** `change`: the rest of the paid time with more; `renewal`: one period, the first one included. */
export const PURCHASE_KINDS = ['change', 'renewal'] as const
export const PURCHASE_STATES = ['new', 'paid'] as const

/** Units of add-ons by their limit, e.g. `{ disc: 2 }` for twice 50 GB. */
export const AddOnUnits = z.partialRecord(z.enum(ADD_ON_LIMITS), z.coerce.number().int().min(0).max(100)).default({})
export type AddOnUnits = z.output<typeof AddOnUnits>

/** What a school pays for in one group. */
export const ChosenPlan = z.object({ plan: z.enum(PLANS), period: z.enum(PERIODS), addOns: AddOnUnits })
export type ChosenPlan = z.output<typeof ChosenPlan>

export const ChangePlan = ChosenPlan.extend({ group: z.enum(PLAN_GROUPS) })
export type ChangePlan = z.output<typeof ChangePlan>

/** `amount`: the amount that the page has shown, in minor units. */
export const BuyPlan = ChangePlan.extend({
  provider: z.enum(PROVIDERS, 'required'),
  amount: z.coerce.number().int().min(0),
})
export type BuyPlan = z.output<typeof BuyPlan>

export const PlanGroupInput = z.object({ group: z.enum(PLAN_GROUPS) })
export type PlanGroupInput = z.output<typeof PlanGroupInput>

export const RenewPlan = BuyPlan.pick({ group: true, provider: true, amount: true })
export type RenewPlan = z.output<typeof RenewPlan>

/** A plan row as set by the operator or for the demo school. */
export const SetPlan = z.object({
  tenantId: z.uuid(),
  group: z.enum(PLAN_GROUPS),
  state: z.enum(['current', 'pending']).default('current'),
  plan: z.enum(PLANS),
  period: z.enum(PERIODS).default('month'),
  nextPayment: z.date().nullable(),
  trialEndsAt: z.date().nullable().default(null),
})
export type SetPlan = z.output<typeof SetPlan>
