import { z } from 'zod'
import { PERIODS, PLANS } from '#lib/core/shared/plan.ts'
import { PLAN_GROUPS } from '#lib/core/shared/role.ts'
import { textLine } from '#lib/core/shared/text/text.ts'
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

/** `invoice`: to be paid; `act`: of the service that was paid for. */
export const DOCUMENT_KINDS = ['invoice', 'act'] as const
export type DocumentKind = (typeof DOCUMENT_KINDS)[number]

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
  promo: z.string().max(100).optional(),
  /** The card is saved and charged for the next periods. */
  saveCard: z.stringbool().or(z.boolean()).optional(),
})
export type BuyPlan = z.output<typeof BuyPlan>

export const PlanGroupInput = z.object({ group: z.enum(PLAN_GROUPS) })
export type PlanGroupInput = z.output<typeof PlanGroupInput>

/** The text of a promo code for a group. */
export const PlanPromoInput = z.object({ group: z.enum(PLAN_GROUPS), promo: z.string().max(100) })
export type PlanPromoInput = z.output<typeof PlanPromoInput>

export const RenewPlan = BuyPlan.pick({ group: true, provider: true, amount: true, saveCard: true })
export type RenewPlan = z.output<typeof RenewPlan>

/** The details of the payer on invoices: a company has eight digits, a sole proprietor ten. */
export const BillingDetails = z.object({
  name: textLine(160),
  taxId: z.union([z.literal(''), z.string().regex(/^(?:\d{8}|\d{10})$/, 'tax_id_format')]),
  address: textLine(300),
})
export type BillingDetails = z.output<typeof BillingDetails>

/** What an invoice or act says, as it was issued. Amounts in minor units. */
export const DocumentContent = z.object({
  /** The number as printed: `DEMO-7`. */
  number: z.string(),
  seller: z.object({ recipient: z.string(), iban: z.string(), taxId: z.string() }),
  buyer: z.object({ name: z.string(), taxId: z.string(), address: z.string() }),
  group: z.enum(PLAN_GROUPS),
  chosen: ChosenPlan,
  amount: z.number(),
  from: z.iso.datetime(),
  until: z.iso.datetime(),
  isTest: z.boolean(),
})
export type DocumentContent = z.output<typeof DocumentContent>

export const DocumentId = z.object({ documentId: z.uuid() })
export type DocumentId = z.output<typeof DocumentId>

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
