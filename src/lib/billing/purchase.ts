import { and, desc, eq, gt } from 'drizzle-orm'
import { recordAuditEntry } from '#lib/audit/audit.ts'
import { addressOf } from '#lib/core/config/config.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { formRefusal, Refusal } from '#lib/core/http/refusal.ts'
import { getTranslator } from '#lib/core/i18n/i18n.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { PlanGroup } from '#lib/core/shared/role.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#lib/core/shared/time.ts'
import { listPlanMethods } from '#lib/payment/methods.ts'
import { cancelPayment, createPayment, listPayments, lockPayments, paymentPath } from '#lib/payment/payment.ts'
import type { ProviderName } from '#lib/payment/schema.ts'
import { applyPurchase } from './apply-payment.ts'
import { issueDocument } from './documents.ts'
import {
  applicable,
  type GroupState,
  loadGroup,
  nextChoice,
  quoteFacts,
  removePending,
  storePending,
} from './group-plan.ts'
import { requireBillingManager } from './overview.ts'
import { BILLING_CURRENCY } from './plans.ts'
import { countPromo, findPromo, promoDiscount } from './promo.ts'
import { canRenew, isSamePlan, type Quote, quoteChange, quoteRenewal } from './quote-rules.ts'
import type { BuyPlan, ChangePlan, ChosenPlan, PlanGroupInput, RenewPlan } from './schema.ts'
import { planPurchase } from './table.ts'

/** A purchase that is posted again within this time is continued. */
const SAME_FORM_MS = 30 * MINUTE_MS

/** What the change of a plan would cost and when it would take effect. Refuses with forbidden. */
export async function previewChange(actor: Actor, input: ChangePlan, now = new Date()): Promise<Quote> {
  requireBillingManager(actor)
  const { group } = input
  const state = await inTenant(actor, (tx) => loadGroup(tx, actor.tenantId, group))
  return quoteChange(state.present, applicable(group, input), quoteFacts(group, actor.tenantTimeZone, now))
}

/** What the next period of a group costs; null while none can be bought. Refuses with forbidden. */
export async function previewRenewal(actor: Actor, { group }: PlanGroupInput, now = new Date()) {
  requireBillingManager(actor)
  const state = await inTenant(actor, (tx) => loadGroup(tx, actor.tenantId, group))
  const chosen = nextChoice(state)
  const quote = chosen && renewalOf(state, chosen, quoteFacts(group, actor.tenantTimeZone, now))
  return quote && { chosen, quote }
}

/**
 * Buys more for the rest of the paid time, or the first period. Returns the path of the payment, or null when nothing is to
 * be paid. Refuses with forbidden, and unprocessable: plan_unchanged, plan_at_period_end, plan_paid_ahead, plan_price_changed,
 * payment_provider; a promo code that does not apply (`fields.promo`).
 */
export function buyPlan(actor: Actor, input: BuyPlan, now = new Date()): Promise<string | null> {
  const { group } = input
  const chosen = applicable(group, input)
  return buy(actor, { ...input, chosen }, now, (state, at) => {
    if (state.next?.paidUntil) throw planRefusal('plan_paid_ahead')
    const quote = quoteChange(state.present, chosen, quoteFacts(group, actor.tenantTimeZone, at))
    if (quote.effect === 'none') throw planRefusal('plan_unchanged')
    if (quote.effect === 'atPeriodEnd') throw planRefusal('plan_at_period_end')
    return quote
  })
}

/** Buys the next period of a group with its pending changes. Returns and refuses as buyPlan. */
export async function renewPlan(actor: Actor, input: RenewPlan, now = new Date()): Promise<string | null> {
  requireBillingManager(actor)
  const { group } = input
  const state = await inTenant(actor, (tx) => loadGroup(tx, actor.tenantId, group))
  const chosen = nextChoice(state)
  if (!chosen) throw planRefusal('plan_unchanged')
  const { plan, period, addOns } = chosen
  return buy(actor, { ...input, chosen: { plan, period, addOns } }, now, (locked, at) => {
    const quote = renewalOf(locked, chosen, quoteFacts(group, actor.tenantTimeZone, at))
    if (!quote) throw planRefusal('plan_paid_ahead')
    return quote
  })
}

/**
 * Plans less for the time after the paid one: a lower plan, fewer add-ons, or a month instead of a year. Nothing is
 * deleted. Refuses with forbidden, and unprocessable (plan_unchanged, plan_now, plan_paid_ahead).
 */
export async function scheduleChange(actor: Actor, input: ChangePlan, now = new Date()): Promise<void> {
  requireBillingManager(actor)
  const { group } = input
  const chosen = applicable(group, input)
  await inTenant(actor, async (tx) => {
    const state = await loadGroup(tx, actor.tenantId, group, { lock: true })
    const quote = quoteChange(state.present, chosen, quoteFacts(group, actor.tenantTimeZone, now))
    if (quote.effect !== 'atPeriodEnd') throw planRefusal(quote.effect === 'none' ? 'plan_unchanged' : 'plan_now')
    if (state.next?.paidUntil) throw planRefusal('plan_paid_ahead')
    await storePending(tx, actor.tenantId, group, { ...chosen, paidUntil: null })
    await auditPlanChange(tx, actor, group, 'plan.change_scheduled', chosen)
  })
}

/** Removes a planned change. A second call changes nothing. Refuses with forbidden, unprocessable (plan_paid_ahead). */
export async function cancelChange(actor: Actor, { group }: PlanGroupInput): Promise<void> {
  requireBillingManager(actor)
  await inTenant(actor, async (tx) => {
    const { next } = await loadGroup(tx, actor.tenantId, group, { lock: true })
    if (!next) return
    if (next.paidUntil) throw planRefusal('plan_paid_ahead')
    await removePending(tx, group)
    await auditPlanChange(tx, actor, group, 'plan.change_canceled', next)
  })
}

type Now = Extract<Quote, { effect: 'now' }>

async function buy(
  actor: Actor,
  input: Pick<BuyPlan, 'group' | 'provider' | 'amount' | 'promo' | 'saveCard'> & { chosen: ChosenPlan },
  now: Date,
  quoteAt: (state: GroupState, at: Date) => Now,
): Promise<string | null> {
  requireBillingManager(actor)
  const { group, chosen, provider, amount } = input
  const { tenantId } = actor
  const savesCard = input.saveCard === true && canSaveCard(provider)
  const uncount = await countPromo(actor, input.promo ?? '')
  const bought = await inTenant(actor, async (tx) => {
    // Payments first, like a callback, which waits for the plans while it has locked its payment.
    const lockedIds = await lockOpenPayments(tx, group, now)
    const state = await loadGroup(tx, tenantId, group, { lock: true })
    // The page may have been opened in the hour before.
    const { promo, problem } = await findPromo(tx, input.promo ?? '', { group, now })
    if (problem) throw new Refusal('unprocessable', { fields: { promo: [problem] } })
    const isShown = (quote: Now) => quote.amount - promoDiscount(quote.amount, promo) === amount
    const present = quoteAt(state, now)
    const quote = isShown(present) ? present : quoteAt(state, new Date(now.getTime() - HOUR_MS))
    if (!isShown(quote)) throw planRefusal('plan_price_changed')
    const wanted = { group, kind: quote.kind, chosen, provider, amount, savesCard }
    const open = await closeOtherPurchases(tx, wanted, { lockedIds, now })
    if (open) return open
    const [purchase] = await tx
      .insert(planPurchase)
      .values({
        tenantId,
        group,
        kind: quote.kind,
        chosen,
        amount,
        discount: quote.amount - amount,
        promoCode: promo?.code ?? null,
        paidFrom: quote.from,
        paidUntil: quote.until,
        createdBy: actor.membershipId,
      })
      .returning()
    if (!purchase) throw new Error('the purchase was not stored')
    await auditPlanChange(tx, actor, group, 'plan.bought', chosen)
    if (amount === 0) {
      await applyPurchase(tx, purchase, now)
      return null
    }
    await issueDocument(tx, 'invoice', purchase)
    const t = getTranslator(actor.locale)
    const row = await createPayment(tx, {
      tenantId,
      purpose: 'plan',
      purposeId: purchase.id,
      provider,
      amount,
      currency: BILLING_CURRENCY,
      period: savesCard ? { unit: chosen.period, count: 1 } : undefined,
      description: t('billing:payment.description', {
        group: t(`billing:group.${group}`),
        plan: t(`billing:plan.${chosen.plan}`),
        school: actor.tenantName,
      }),
      returnUrl: addressOf(actor.subdomain, `/billing?purchase=${purchase.id}`),
    })
    return paymentPath(row)
  })
  await uncount()
  return bought
}

interface Wanted {
  group: PlanGroup
  kind: 'change' | 'renewal'
  chosen: ChosenPlan
  provider: ProviderName
  amount: number
  savesCard: boolean
}

const listOpen = (tx: Tx, group: PlanGroup, now: Date) =>
  tx
    .select()
    .from(planPurchase)
    .where(
      and(
        eq(planPurchase.group, group),
        eq(planPurchase.state, 'new'),
        gt(planPurchase.createdAt, new Date(now.getTime() - DAY_MS)),
      ),
    )
    .orderBy(desc(planPurchase.createdAt))

async function lockOpenPayments(tx: Tx, group: PlanGroup, now: Date): Promise<string[]> {
  const open = await listOpen(tx, group, now)
  return lockPayments(
    tx,
    'plan',
    open.map(({ id }) => id),
  )
}

// The same form posted twice continues the first purchase; another one of the group is not paid any more.
async function closeOtherPurchases(
  tx: Tx,
  wanted: Wanted,
  { lockedIds, now }: { lockedIds: readonly string[]; now: Date },
): Promise<string | null> {
  const open = await listOpen(tx, wanted.group, now)
  const payments = await listPayments(
    tx,
    'plan',
    open.map(({ id }) => id),
  )
  for (const row of payments) {
    const purchase = open.find(({ id }) => id === row.purposeId)
    const isRepeated =
      row.status === 'new' &&
      row.provider === wanted.provider &&
      row.amount === wanted.amount &&
      row.kind === (wanted.savesCard ? 'recurrent' : 'once') &&
      purchase?.kind === wanted.kind &&
      isSamePlan(purchase.chosen, wanted.chosen) &&
      now.getTime() - row.createdAt.getTime() < SAME_FORM_MS
    if (isRepeated) return paymentPath(row)
    // One that was added since the others were locked, by a second tab, can still be paid.
    if (row.status === 'new' && lockedIds.includes(row.id)) await cancelPayment(tx, row.id)
  }
  return null
}

/** Whether the card of a payment can be saved and charged by the product: not where the provider keeps the schedule. */
const canSaveCard = (provider: ProviderName): boolean =>
  listPlanMethods({ currency: BILLING_CURRENCY }).some(
    (method) => method.provider === provider && method.recurring === 'token',
  )

function renewalOf(state: GroupState, chosen: ChosenPlan, facts: ReturnType<typeof quoteFacts>): Now | null {
  if (state.next?.paidUntil || !canRenew(state.present, facts)) return null
  return quoteRenewal(state.present, chosen, facts)
}

const planRefusal = (
  reason: 'plan_unchanged' | 'plan_at_period_end' | 'plan_now' | 'plan_paid_ahead' | 'plan_price_changed',
): Refusal => formRefusal(reason)

async function auditPlanChange(
  tx: Tx,
  actor: Actor,
  group: PlanGroup,
  action: 'plan.bought' | 'plan.change_scheduled' | 'plan.change_canceled',
  { plan, period }: ChosenPlan,
): Promise<void> {
  await recordAuditEntry(tx, actor, {
    action,
    objectId: actor.tenantId,
    objectName: actor.tenantName,
    after: { plan: `${group}/${plan}/${period}` },
  })
}
