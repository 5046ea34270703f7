import { setPlan as domainSetPlan } from '#lib/billing/billing.ts'
import { SetPlan } from '#lib/billing/schema.ts'
import { parsedFirst } from './parsed.ts'

export const setPlan = parsedFirst(SetPlan, domainSetPlan)
