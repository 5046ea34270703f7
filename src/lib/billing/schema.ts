import { z } from 'zod'
import { PLAN_GROUPS } from '#lib/core/shared/role.ts'

export const PERIODS = ['month', 'year'] as const

/** A plan row as the operator or the demo school sets it. */
export const SetPlan = z.object({
  tenantId: z.uuid(),
  group: z.enum(PLAN_GROUPS),
  state: z.enum(['current', 'pending']).default('current'),
  plan: z.enum(['start', 'pro', 'max']),
  period: z.enum(PERIODS).default('month'),
  nextPayment: z.date().nullable(),
  trialEndsAt: z.date().nullable().default(null),
})
export type SetPlan = z.input<typeof SetPlan>
