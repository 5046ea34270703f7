import { addressOf } from '#lib/core/config/config.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { PlanView } from '#lib/core/shared/plan.ts'
import type { PlanGroup } from '#lib/core/shared/role.ts'
import type { SessionInfo } from './schema.ts'

/** The output of the session call, built from the actor without a further query. */
export function getSessionInfo(actor: Actor, now = new Date()): SessionInfo {
  const current = actor.plans.filter(({ state }) => state === 'current')
  const trialEndsAt = current.map((plan) => plan.trialEndsAt).find((ends) => ends !== null) ?? null
  const domain = hostOf(actor.subdomain)
  return {
    user_info: {
      id: actor.userId,
      email: actor.email,
      first_name: actor.firstName,
      last_name: actor.lastName,
      locale: actor.locale,
      time_zone: actor.timeZone,
      current_account_type: actor.accountType,
      domain,
    },
    user_roles: { roles: actor.roles },
    current_tariff: current.map(planRow),
    current_dop_tariff: actor.addOns.map(({ limit, quantity, nextPayment }) => ({
      limit,
      quantity,
      next_payment: nextPayment,
    })),
    pending_tariff: actor.plans.filter(({ state }) => state === 'pending').map(planRow),
    current_tenant: {
      id: actor.tenantId,
      name: actor.tenantName,
      subdomain: actor.subdomain,
      domain,
      time_zone: actor.tenantTimeZone,
    },
    tenant_billing_info: {
      trial_info: {
        is_trial: trialEndsAt !== null && new Date(trialEndsAt).getTime() > now.getTime(),
        trial_ends_at: trialEndsAt,
      },
      user_tariff_params: { lms_tariff: tariffOf(current, 'lms'), workshop_tariff: tariffOf(current, 'workshop') },
    },
  }
}

function planRow(plan: PlanView) {
  const tariff = { plan: plan.plan, period: plan.period }
  const tariffField = plan.group === 'lms' ? { lms_tariff: tariff } : { workshop_tariff: tariff }
  return { group: plan.group, ...tariffField, next_payment: plan.nextPayment }
}

function tariffOf(plans: PlanView[], group: PlanGroup) {
  const current = plans.find((plan) => plan.group === group)
  return current ? { plan: current.plan, period: current.period } : null
}

function hostOf(subdomain: string): string {
  return new URL(addressOf(subdomain, '/')).host
}
