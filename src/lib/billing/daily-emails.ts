import { createHash } from 'node:crypto'
import type { Tx } from '#lib/core/db/db.ts'
import { networkOf } from '#lib/core/http/address.ts'
import type { Refusal } from '#lib/core/http/refusal.ts'
import { type Budget, spendBudget, tooManyRefusal } from '#lib/core/http/throttle.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { formatDateTime } from '#lib/core/shared/locale.ts'
import { DAY_SECONDS } from '#lib/core/shared/time.ts'

/** Maximum number of unsolicited emails that a tenant may send per day. A trial is free, so its limit is lower. */
const MAX_EMAILS_PER_DAY = {
  invitations: { trial: 100, paid: 1000 },
  registrations: { trial: 500, paid: 5000 },
  students: { trial: 500, paid: 20_000 },
} as const
export type DailyEmailKind = keyof typeof MAX_EMAILS_PER_DAY

/** The same over all trial tenants of one network. */
const MAX_TRIAL_EMAILS_PER_NETWORK = { invitations: 200, registrations: 1000, students: 1000 } as const

type EmailSender = Pick<Actor, 'tenantId' | 'plans' | 'timeZone' | 'locale' | 'address'>

/**
 * Spends some of a tenant's daily emails in the surrounding transaction. With `allowsPartial` as many as are left are
 * granted; otherwise refuses with too_many (`emails_of_day`) and the start of the next window when too few are left.
 */
export async function spendDailyEmails(
  tx: Tx,
  sender: EmailSender,
  kind: DailyEmailKind,
  amount: number,
  { allowsPartial = false }: { allowsPartial?: boolean } = {},
): Promise<Budget> {
  const limit = maxEmailsPerDay(sender, kind)
  const rule = { limit, windowSeconds: DAY_SECONDS, allowsPartial }
  const budget = await spendBudget(tx, `emails:${kind}:${sender.tenantId}`, amount, rule)
  const granted = await spendTrialNetwork(tx, sender, kind, budget.granted)
  if (granted < amount && !allowsPartial) throw dailyLimitRefusal(sender, limit, budget)
  return { ...budget, granted }
}

/** Maximum number of emails of a kind that a tenant may send per day. */
function maxEmailsPerDay({ plans }: Pick<Actor, 'plans'>, kind: DailyEmailKind): number {
  const { trial, paid } = MAX_EMAILS_PER_DAY[kind]
  return isTrialSchool(plans) ? trial : paid
}

/** Whether a tenant with these plans has not paid yet. */
export const isTrialSchool = (plans: Actor['plans']): boolean =>
  !plans.some(({ state, trialEndsAt }) => state === 'current' && trialEndsAt === null)

// Everybody can open trial schools, so what they send counts per network in all of them.
async function spendTrialNetwork(
  tx: Tx,
  { plans, address }: Pick<EmailSender, 'plans' | 'address'>,
  kind: DailyEmailKind,
  granted: number,
): Promise<number> {
  if (!address || granted === 0 || !isTrialSchool(plans)) return granted
  const network = createHash('sha256').update(networkOf(address)).digest('base64url')
  const rule = { limit: MAX_TRIAL_EMAILS_PER_NETWORK[kind], windowSeconds: DAY_SECONDS, allowsPartial: true }
  return (await spendBudget(tx, `emails:${kind}:network:${network}`, granted, rule)).granted
}

function dailyLimitRefusal({ timeZone, locale }: EmailSender, limit: number, { left, resetsAt }: Budget): Refusal {
  return tooManyRefusal(Math.ceil((resetsAt.getTime() - Date.now()) / 1000), {
    fields: { form: ['emails_of_day'] },
    variables: { limit, left, at: formatDateTime(resetsAt, timeZone, locale) },
    data: { left, resetsAt: resetsAt.toISOString() },
  })
}
