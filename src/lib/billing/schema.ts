import { z } from 'zod'
import { PERIODS, PLANS } from '#lib/core/shared/plan.ts'
import { PLAN_GROUPS } from '#lib/core/shared/role.ts'

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
