import { removeCard, saveBillingDetails } from '#lib/billing/account.ts'
import { buyPlan, cancelChange, renewPlan, scheduleChange } from '#lib/billing/purchase.ts'
import { ADD_ON_LIMITS, BillingDetails, BuyPlan, ChangePlan, PlanGroupInput, RenewPlan } from '#lib/billing/schema.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { type FormActions, formText } from '../_request/form-actions.ts'

/** The fields of a choice in a form or in the query of the page. */
export function choiceOf(fields: FormData | URLSearchParams) {
  const addOns = ADD_ON_LIMITS.flatMap((limit) => {
    const units = fields.get(`addOn.${limit}`)
    return typeof units === 'string' && units !== '' ? [[limit, units] as const] : []
  })
  const [group, plan, period] = ['group', 'plan', 'period'].map((name) => fields.get(name))
  return { group, plan, period, addOns: Object.fromEntries(addOns) }
}

// A checkbox that is not checked is not posted.
const savedCard = (form: FormData) => (form.has('saveCard') ? { saveCard: form.get('saveCard') } : {})

/** The actions of the page; each returns the page that follows. */
export const billingActions = (actor: Actor): FormActions => ({
  buy: async (form) => {
    const input = BuyPlan.parse({
      ...choiceOf(form),
      provider: form.get('provider'),
      amount: form.get('amount'),
      promo: formText(form, 'promo'),
      ...savedCard(form),
    })
    return (await buyPlan(actor, input)) ?? '/billing?notice=changed'
  },
  renew: async (form) => {
    const input = RenewPlan.parse(Object.fromEntries(form))
    return (await renewPlan(actor, input)) ?? '/billing?notice=changed'
  },
  schedule: async (form) => {
    await scheduleChange(actor, ChangePlan.parse(choiceOf(form)))
    return '/billing?notice=scheduled'
  },
  saveDetails: async (form) => {
    await saveBillingDetails(actor, BillingDetails.parse(Object.fromEntries(form)))
    return '/billing?notice=detailsSaved#details'
  },
  removeCard: async () => {
    await removeCard(actor)
    return '/billing?notice=cardRemoved'
  },
  cancelChange: async (form) => {
    await cancelChange(actor, PlanGroupInput.parse(Object.fromEntries(form)))
    return '/billing?notice=changeCanceled'
  },
})
