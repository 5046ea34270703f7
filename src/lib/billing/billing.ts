import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { PLAN_GROUPS, type PlanGroup } from '#lib/core/shared/role.ts'
import { type Verification, verifyEmail } from '#lib/user/email-verification.ts'
import type { VerifyEmail } from '#lib/user/schema.ts'
import type { RequestOrigin } from '#lib/user/session.ts'
import { type Limit, limitOf, TRIAL_DAYS, TRIAL_PLAN } from './plans.ts'
import { canWriteInPlan } from './rules.ts'
import { SetPlan } from './schema.ts'
import { addOn, subscription } from './table.ts'

const DAY = 24 * 3600 * 1000

/**
 * Confirms the e-mail of a sign-up by code or link; the school, its owner, its trial and the session begin in one
 * transaction. Refuses as verifyEmail of the user room does.
 */
export function openSchool(input: VerifyEmail, caller: RequestOrigin): Promise<Verification> {
  return verifyEmail(input, caller, (tenantId) => startTrial(tenantId))
}

/** Gives a new school both plan groups for 14 days. */
export async function startTrial(tenantId: string, now = new Date()): Promise<void> {
  const ends = new Date(now.getTime() + TRIAL_DAYS * DAY)
  for (const group of PLAN_GROUPS) {
    await setPlan({ tenantId, group, plan: TRIAL_PLAN, nextPayment: ends, trialEndsAt: ends })
  }
}

/** Sets a school's plan in one group, in place of the one of the same state. */
export async function setPlan(input: SetPlan): Promise<void> {
  const row = SetPlan.parse(input)
  await inTenant(row, (tx) =>
    tx
      .insert(subscription)
      .values(row)
      .onConflictDoUpdate({
        target: [subscription.tenantId, subscription.group, subscription.state],
        set: { plan: row.plan, period: row.period, nextPayment: row.nextPayment, trialEndsAt: row.trialEndsAt },
      }),
  )
}

/** The plans and add-ons of the school of a transaction, for what is limited where nobody of it acts, e.g. for guests. */
export async function getTenantPlans(tx: Tx): Promise<Pick<Actor, 'plans' | 'addOns'>> {
  const { group, state, plan, period, nextPayment, trialEndsAt } = subscription
  const plans = await tx.select({ group, state, plan, period, nextPayment, trialEndsAt }).from(subscription)
  const bought = await tx
    .select({ limit: addOn.limit, quantity: addOn.quantity, nextPayment: addOn.nextPayment })
    .from(addOn)
  return {
    plans: plans.map((row) => ({ ...row, nextPayment: iso(row.nextPayment), trialEndsAt: iso(row.trialEndsAt) })),
    addOns: bought.map((row) => ({ ...row, nextPayment: iso(row.nextPayment) })),
  }
}

/** Each names its limit and what can be done. */
const SAYS = {
  disc: 'limit_disc',
  student_count: 'limit_student_count',
  manager_count: 'limit_manager_count',
  conference_count: 'limit_conference_count',
  viewer_count: 'limit_viewer_count',
  course_count: 'limit_course_count',
  mentor_program_count: 'limit_mentor_program_count',
  workshop_count: 'limit_workshop_count',
} as const satisfies Record<Limit, string>

const iso = (instant: Date | null): string | null => instant?.toISOString() ?? null

/** Lets pass who may change things of a plan group. Refuses with plan_inactive. */
export function requirePlan(actor: Pick<Actor, 'accountType' | 'plans'>, group: PlanGroup, now = new Date()): void {
  if (!canWriteInPlan(actor, group, now).allow) throw new Refusal('plan_inactive', { variables: { plan: group } })
}

/**
 * Lets pass one more of a limited thing, `used` being there already. Refuses with unprocessable and says which limit it
 * is, the numbers and what to do.
 */
export function requireWithinLimit(
  actor: Pick<Actor, 'plans' | 'addOns'>,
  limit: Limit,
  used: number,
  now = new Date(),
): void {
  const max = limitOf(actor, limit, now)
  if (max === null || used < max) return
  throw new Refusal('unprocessable', { fields: { form: [SAYS[limit]] }, variables: { limit, max, used } })
}
