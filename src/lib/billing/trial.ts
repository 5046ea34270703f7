import { PLAN_GROUPS } from '#lib/core/shared/role.ts'
import { DAY_MS } from '#lib/core/shared/time.ts'
import { type Verification, verifyEmail } from '#lib/user/email-verification.ts'
import type { VerifyEmail } from '#lib/user/schema.ts'
import type { RequestOrigin } from '#lib/user/session.ts'
import { setPlan } from './billing.ts'
import { TRIAL_DAYS, TRIAL_PLAN } from './plans.ts'

/**
 * Confirms the email address of a sign-up by code or link; the tenant, its owner, its trial and the session are created in
 * one transaction. Refuses as verifyEmail of the module user.
 */
export function openSchool(input: VerifyEmail, caller: RequestOrigin): Promise<Verification> {
  return verifyEmail(input, caller, (tenantId) => startTrial(tenantId))
}

/** Starts the trial of a new tenant: both plan groups for 14 days. */
export async function startTrial(tenantId: string, now = new Date()): Promise<void> {
  const trialEndsAt = new Date(now.getTime() + TRIAL_DAYS * DAY_MS)
  for (const group of PLAN_GROUPS) {
    await setPlan({
      tenantId,
      group,
      state: 'current',
      plan: TRIAL_PLAN,
      period: 'month',
      nextPayment: trialEndsAt,
      trialEndsAt,
    })
  }
}
