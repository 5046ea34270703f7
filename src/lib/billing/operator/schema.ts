import { z } from 'zod'
import { PERIODS, PLANS } from '#lib/core/shared/plan.ts'
import { PLAN_GROUPS } from '#lib/core/shared/role.ts'
import { textLine } from '#lib/core/shared/text/text.ts'
import { CURRENCIES } from '#lib/payment/schema.ts'

/** The subdomain of a school, the current one. */
const school = z.string().trim().toLowerCase().min(1, 'required').max(63)

export const ListSchools = z.object({
  /** Part of the name or the subdomain. */
  search: textLine(100).default(''),
  /** The subdomain after which the page begins. */
  after: z.string().max(63).default(''),
  limit: z.coerce.number().int().min(1).max(100).default(50),
})
export type ListSchools = z.output<typeof ListSchools>

export const SchoolInput = z.object({ school })
export type SchoolInput = z.output<typeof SchoolInput>

export const ExtendTrial = z.object({ school, days: z.coerce.number().int().min(1).max(365) })
export type ExtendTrial = z.output<typeof ExtendTrial>

export const SuspendSchool = z.object({ school, reason: textLine(300).min(1, 'required') })
export type SuspendSchool = z.output<typeof SuspendSchool>

const SchoolPlan = z.object({
  group: z.enum(PLAN_GROUPS),
  state: z.enum(['current', 'pending']),
  plan: z.enum(PLANS),
  period: z.enum(PERIODS),
  nextPayment: z.string().nullable(),
  trialEndsAt: z.string().nullable(),
})

/** A school as the operator sees it. */
export const School = z.object({
  id: z.string(),
  subdomain: z.string(),
  name: z.string(),
  status: z.enum(['active', 'suspended', 'deleted']),
  createdAt: z.string(),
  owner: z.object({ email: z.string(), name: z.string() }).nullable(),
  plans: z.array(SchoolPlan),
})
export type School = z.output<typeof School>

export const SchoolList = z.object({
  items: z.array(School),
  /** The value of `after` for the next page; null on the last one. */
  next: z.string().nullable(),
})
export type SchoolList = z.output<typeof SchoolList>

/** How much of each limit a school uses; `disc` in gigabytes, `max` null: unlimited. */
export const SchoolUsage = School.extend({
  usage: z.array(z.object({ limit: z.string(), used: z.number(), max: z.number().nullable() })),
})
export type SchoolUsage = z.output<typeof SchoolUsage>

/** An invoice of a school that is paid by bank transfer. `replaced`: another purchase has taken its place, or it was canceled. */
export const SchoolTransfer = z.object({
  invoice: z.number(),
  /** Minor units. */
  amount: z.number(),
  currency: z.enum(CURRENCIES),
  group: z.enum(PLAN_GROUPS),
  plan: z.enum(PLANS),
  period: z.enum(PERIODS),
  state: z.enum(['awaited', 'paid', 'replaced']),
  createdAt: z.string(),
})
export type SchoolTransfer = z.output<typeof SchoolTransfer>

export const SchoolTransfers = z.object({ subdomain: z.string(), transfers: z.array(SchoolTransfer) })
export type SchoolTransfers = z.output<typeof SchoolTransfers>

export const ConfirmPlanTransfer = z.object({
  school,
  /** The number of the invoice in the school: 7 of `DEMO-7`. */
  invoice: z.coerce.number().int().min(1).max(1_000_000_000),
})
export type ConfirmPlanTransfer = z.output<typeof ConfirmPlanTransfer>
