import { PLAN_GRACE_DAYS, PLANS } from '#lib/core/shared/plan.ts'
import { DAY_MS } from '#lib/core/shared/time.ts'
import { costOfChange, costOfRest, type TimedAmount } from './proration-rules.ts'
import { ADD_ON_LIMITS, type ChosenPlan } from './schema.ts'

/** What a group has now. */
export interface PresentPlan extends ChosenPlan {
  /** The end of the paid time; of a trial its end, or null. */
  until: Date | null
  isPaid: boolean
  /** What promo codes have reduced of the price of the paid time. */
  discounts?: readonly TimedAmount[]
}

/** What a change costs and when it takes effect. */
export type Quote =
  | { effect: 'none' }
  | { effect: 'now'; kind: 'change' | 'renewal'; amount: number; from: Date; until: Date }
  | { effect: 'atPeriodEnd'; at: Date }

export interface QuoteFacts {
  at: Date
  /** Price of one period of a plan with its add-ons, in minor units. */
  priceOf: (chosen: ChosenPlan) => number
  /** The instant `count` periods after another one. */
  add: (start: Date, period: ChosenPlan['period'], count: number) => Date
}

const GRACE_MS = PLAN_GRACE_DAYS * DAY_MS

/**
 * What the change to `chosen` costs. More of something is bought for the rest of the paid time and takes effect at once;
 * less of something, or a shorter period, takes effect when the paid time ends. Without paid time a period is bought.
 */
export function quoteChange(present: PresentPlan | null, chosen: ChosenPlan, facts: QuoteFacts): Quote {
  const { at, priceOf, add } = facts
  if (!present?.until || !isPaidAt(present, at)) return quoteRenewal(present, chosen, facts)
  if (isSamePlan(present, chosen)) return { effect: 'none' }
  if (isReduced(present, chosen)) return { effect: 'atPeriodEnd', at: present.until }
  const before = restOf(present, present, facts, present.discounts)
  if (present.period !== chosen.period) {
    const until = add(at, chosen.period, 1)
    const amount = costOfChange({ before, after: priceOf(chosen) })
    return { effect: 'now', kind: 'change', amount, from: at, until }
  }
  const amount = costOfChange({ before, after: restOf(present, chosen, facts) })
  return { effect: 'now', kind: 'change', amount, from: at, until: present.until }
}

/** What one more period of `chosen` costs, and from when: paid time and the rest of a trial are not lost. */
export function quoteRenewal(
  present: PresentPlan | null,
  chosen: ChosenPlan,
  { at, priceOf, add }: QuoteFacts,
): Extract<Quote, { effect: 'now' }> {
  const from = startOfNextPeriod(present, at)
  const until = add(from, chosen.period, 1)
  return { effect: 'now', kind: 'renewal', amount: priceOf(chosen), from, until }
}

/** Whether a period can be bought now: at most one in advance. */
export function canRenew(present: PresentPlan | null, { at, add }: Pick<QuoteFacts, 'at' | 'add'>): boolean {
  if (!present?.until || !present.isPaid) return true
  return add(present.until, present.period, -1) <= at
}

/** Whether the paid time has not ended. */
export const isPaidAt = ({ isPaid, until }: Pick<PresentPlan, 'isPaid' | 'until'>, at: Date): boolean =>
  isPaid && until !== null && until > at

/** The later time of a change and of what is there already, so that no payment takes anything away. */
export function mergeChosen(present: ChosenPlan, bought: ChosenPlan): ChosenPlan {
  return {
    plan: rankOf(bought) > rankOf(present) ? bought.plan : present.plan,
    period: bought.period === 'year' ? 'year' : present.period,
    addOns: Object.fromEntries(
      ADD_ON_LIMITS.map((limit) => [limit, Math.max(unitsOf(present, limit), unitsOf(bought, limit))] as const).filter(
        ([, units]) => units > 0,
      ),
    ),
  }
}

/** Whether two choices are the same plan, period and add-ons. */
export const isSamePlan = (first: ChosenPlan, second: ChosenPlan): boolean =>
  first.plan === second.plan &&
  first.period === second.period &&
  ADD_ON_LIMITS.every((limit) => unitsOf(first, limit) === unitsOf(second, limit))

function isReduced(present: ChosenPlan, chosen: ChosenPlan): boolean {
  return (
    rankOf(chosen) < rankOf(present) ||
    (present.period === 'year' && chosen.period === 'month') ||
    ADD_ON_LIMITS.some((limit) => unitsOf(chosen, limit) < unitsOf(present, limit))
  )
}

// The days of grace belong to the period that is paid after them; a school that was read-only begins again.
function startOfNextPeriod(present: PresentPlan | null, at: Date): Date {
  const { until = null, isPaid = false } = present ?? {}
  if (!until) return at
  const isContinued = until > at || (isPaid && until.getTime() + GRACE_MS > at.getTime())
  return isContinued ? until : at
}

// The paid periods count back from their end, so that a period that was paid in advance costs as much as it did.
function restOf(
  present: PresentPlan,
  chosen: ChosenPlan,
  { at, priceOf, add }: QuoteFacts,
  discounts: readonly TimedAmount[] = [],
): number {
  const since = discounts.reduce((earliest, { from }) => (from < earliest ? from : earliest), at)
  const boundaries: Date[] = []
  for (let count = 0; present.until && boundaries.every((end) => end > since); count += 1)
    boundaries.push(add(present.until, present.period, -count))
  return costOfRest({ price: priceOf(chosen), boundaries, discounts }, at)
}

const rankOf = ({ plan }: ChosenPlan): number => PLANS.indexOf(plan)
const unitsOf = ({ addOns }: ChosenPlan, limit: (typeof ADD_ON_LIMITS)[number]): number => addOns[limit] ?? 0
