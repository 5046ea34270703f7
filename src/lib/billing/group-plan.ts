import { and, desc, eq, gt, or, sql } from 'drizzle-orm'
import { addPeriods } from '#lib/core/calendar/add-periods.ts'
import type { Tx } from '#lib/core/db/db.ts'
import { lockUntilCommit } from '#lib/core/db/locks.ts'
import type { PlanGroup } from '#lib/core/shared/role.ts'
import { HOUR_MS } from '#lib/core/shared/time.ts'
import { ADD_ON_OFFERS, PLAN_OFFERS } from './plans.ts'
import type { TimedAmount } from './proration-rules.ts'
import { isPaidAt, isSamePlan, type PresentPlan, type QuoteFacts } from './quote-rules.ts'
import { ADD_ON_LIMITS, type AddOnUnits, type ChosenPlan } from './schema.ts'
import { addOn, planPurchase, subscription } from './table.ts'

/** The rows of one group in the terms of a choice. */
export interface GroupState {
  present: PresentPlan | null
  /** What the next period has, where it differs. `paidUntil`: it is paid for already. */
  next: (ChosenPlan & { paidUntil: Date | null }) | null
}

/** The group's plan, pending plan and add-ons. With `lock`, under a lock until the end of the transaction. */
export async function loadGroup(
  tx: Tx,
  tenantId: string,
  group: PlanGroup,
  { lock = false }: { lock?: boolean } = {},
): Promise<GroupState> {
  if (lock) await lockPlans(tx, tenantId)
  const [plans, addOns, discounts] = await Promise.all([
    tx.select().from(subscription).where(eq(subscription.group, group)),
    tx.select().from(addOn).where(eq(addOn.group, group)),
    listPaidDiscounts(tx, group),
  ])
  const current = plans.find(({ state }) => state === 'current')
  const pending = plans.find(({ state }) => state === 'pending')
  const present = current && {
    plan: current.plan,
    period: current.period,
    addOns: unitsOf(group, addOns, 'quantity'),
    until: current.nextPayment,
    isPaid: current.trialEndsAt === null && current.nextPayment !== null,
    discounts,
  }
  const next = pending && {
    plan: pending.plan,
    period: pending.period,
    addOns: unitsOf(group, addOns, 'nextQuantity'),
    paidUntil: pending.nextPayment,
  }
  return { present: present ?? null, next: next ?? null }
}

/** Purchases of a group with a discount, or that changed its plan, that are considered. */
const MAX_PURCHASES = 50

/**
 * The discounts that the paid time of a group still contains: of the latest change and of the periods paid after it. A change
 * pays the difference to what was paid before, so it pays earlier discounts.
 */
async function listPaidDiscounts(tx: Tx, group: PlanGroup): Promise<TimedAmount[]> {
  const purchases = await tx
    .select({
      kind: planPurchase.kind,
      amount: planPurchase.discount,
      from: planPurchase.paidFrom,
      until: planPurchase.paidUntil,
    })
    .from(planPurchase)
    .where(
      and(
        eq(planPurchase.group, group),
        eq(planPurchase.state, 'paid'),
        or(gt(planPurchase.discount, 0), eq(planPurchase.kind, 'change')),
      ),
    )
    .orderBy(desc(planPurchase.paidAt), desc(planPurchase.createdAt))
    .limit(MAX_PURCHASES)
  const latestChange = purchases.findIndex(({ kind }) => kind === 'change')
  const counted = latestChange < 0 ? purchases : purchases.slice(0, latestChange + 1)
  return counted.filter(({ amount }) => amount > 0).map(({ amount, from, until }) => ({ amount, from, until }))
}

/**
 * Locks the plans of a tenant until the end of the transaction: after payments and before purchases, so that a purchase
 * and a callback never wait for each other.
 */
export async function lockPlans(tx: Tx, tenantId: string): Promise<void> {
  await lockUntilCommit(tx, 'plans', tenantId)
}

/** Stores what a group has until an instant; a trial ends. A pending plan is removed. */
export async function storeGroup(
  tx: Tx,
  tenantId: string,
  group: PlanGroup,
  { plan, period, addOns, until }: ChosenPlan & { until: Date },
): Promise<void> {
  const values = { plan, period, nextPayment: until, trialEndsAt: null }
  await tx
    .insert(subscription)
    .values({ tenantId, group, state: 'current', ...values })
    .onConflictDoUpdate({ target: [subscription.tenantId, subscription.group, subscription.state], set: values })
  await removePending(tx, group)
  await tx.delete(addOn).where(eq(addOn.group, group))
  const rows = quantitiesOf(group, addOns).map(({ limit, quantity }) => ({
    tenantId,
    group,
    limit,
    quantity,
    nextQuantity: quantity,
    nextPayment: until,
  }))
  if (rows.length > 0) await tx.insert(addOn).values(rows)
}

/** Stores what the next period of a group has; `paidUntil` where it is paid for. */
export async function storePending(
  tx: Tx,
  tenantId: string,
  group: PlanGroup,
  { plan, period, addOns, paidUntil }: ChosenPlan & { paidUntil: Date | null },
): Promise<void> {
  const values = { plan, period, nextPayment: paidUntil, trialEndsAt: null }
  await tx
    .insert(subscription)
    .values({ tenantId, group, state: 'pending', ...values })
    .onConflictDoUpdate({ target: [subscription.tenantId, subscription.group, subscription.state], set: values })
  await tx.update(addOn).set({ nextQuantity: 0 }).where(eq(addOn.group, group))
  for (const { limit, quantity } of quantitiesOf(group, addOns))
    await tx
      .insert(addOn)
      .values({ tenantId, group, limit, quantity: 0, nextQuantity: quantity })
      .onConflictDoUpdate({ target: [addOn.tenantId, addOn.group, addOn.limit], set: { nextQuantity: quantity } })
}

/** Removes the pending plan: the next period has what the group has now. */
export async function removePending(tx: Tx, group: PlanGroup): Promise<void> {
  await tx.delete(subscription).where(and(eq(subscription.group, group), eq(subscription.state, 'pending')))
  await tx.delete(addOn).where(and(eq(addOn.group, group), eq(addOn.quantity, 0)))
  await tx
    .update(addOn)
    .set({ nextQuantity: sql`${addOn.quantity}` })
    .where(eq(addOn.group, group))
}

/** A choice without add-ons that the group does not offer, or whose limit the plan does not have. */
export function applicable(group: PlanGroup, { plan, period, addOns }: ChosenPlan): ChosenPlan {
  const offers = ADD_ON_OFFERS[group]
  const applicableAddOns = ADD_ON_LIMITS.map((limit) => [limit, addOns[limit] ?? 0] as const).filter(
    ([limit, units]) => units > 0 && offers[limit] && typeof PLAN_OFFERS[group][plan][limit] === 'number',
  )
  return { plan, period, addOns: Object.fromEntries(applicableAddOns) }
}

/** Price of one period of a plan with its add-ons, in minor units. */
export function priceOf(group: PlanGroup, { plan, period, addOns }: ChosenPlan): number {
  return ADD_ON_LIMITS.reduce(
    (sum, limit) => sum + (addOns[limit] ?? 0) * (ADD_ON_OFFERS[group][limit]?.prices[period] ?? 0),
    PLAN_OFFERS[group][plan].prices[period],
  )
}

/**
 * The facts of a quote in a group, at the beginning of the hour, so that the amount does not change between the page and
 * the purchase.
 */
export function quoteFacts(group: PlanGroup, zone: string, now: Date): QuoteFacts {
  return {
    at: new Date(Math.floor(now.getTime() / HOUR_MS) * HOUR_MS),
    priceOf: (chosen) => priceOf(group, chosen),
    add: (start, unit, count) => addPeriods(start, { unit, count }, zone),
  }
}

/** What the next period of a group costs and has, unless the owner changes it. */
export const nextChoice = ({ present, next }: GroupState): ChosenPlan | null => next ?? present

/** What a payment of one period gives, in the transaction of the payment. Returns the time that it pays for. */
export async function applyRenewal(
  tx: Tx,
  { tenantId, group, chosen }: { tenantId: string; group: PlanGroup; chosen: ChosenPlan },
  facts: Pick<QuoteFacts, 'at' | 'add'> & { quote: (present: PresentPlan | null) => { from: Date; until: Date } },
): Promise<{ from: Date; until: Date }> {
  const { present, next } = await loadGroup(tx, tenantId, group, { lock: true })
  if (next?.paidUntil) {
    const paidUntil = facts.add(next.paidUntil, chosen.period, 1)
    await storePending(tx, tenantId, group, { ...next, paidUntil })
    return { from: next.paidUntil, until: paidUntil }
  }
  if (!present?.until || !isPaidAt(present, facts.at)) {
    const { from, until } = facts.quote(present)
    await storeGroup(tx, tenantId, group, { ...chosen, until })
    return { from, until }
  }
  const until = facts.add(present.until, chosen.period, 1)
  if (isSamePlan(present, chosen)) {
    await storeGroup(tx, tenantId, group, { ...chosen, until })
    if (next) await storePending(tx, tenantId, group, next)
  } else {
    await storePending(tx, tenantId, group, { ...chosen, paidUntil: until })
  }
  return { from: present.until, until }
}

function unitsOf(
  group: PlanGroup,
  rows: readonly (typeof addOn.$inferSelect)[],
  column: 'quantity' | 'nextQuantity',
): AddOnUnits {
  const units = ADD_ON_LIMITS.map((limit) => {
    const unit = ADD_ON_OFFERS[group][limit]?.unit ?? 1
    const quantity = rows.find((row) => row.limit === limit)?.[column] ?? 0
    return [limit, Math.floor(quantity / unit)] as const
  })
  return Object.fromEntries(units.filter(([, count]) => count > 0))
}

/** The quantities of add-ons by their units. */
export const quantitiesOf = (group: PlanGroup, addOns: AddOnUnits) =>
  ADD_ON_LIMITS.flatMap((limit) => {
    const offer = ADD_ON_OFFERS[group][limit]
    const units = addOns[limit] ?? 0
    return offer && units > 0 ? [{ limit, quantity: units * offer.unit }] : []
  })
