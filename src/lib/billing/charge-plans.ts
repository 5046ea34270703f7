import { and, eq, like, ne } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { forEachItem } from '#lib/core/jobs/items.ts'
import { forEachTenant } from '#lib/core/jobs/tenants.ts'
import { log } from '#lib/core/log.ts'
import { PLAN_GRACE_DAYS } from '#lib/core/shared/plan.ts'
import { PLAN_GROUPS, type PlanGroup } from '#lib/core/shared/role.ts'
import { DAY_MS } from '#lib/core/shared/time.ts'
import { type ChargeRequest, chargeSubscription } from '#lib/payment/subscription.ts'
import { payment } from '#lib/payment/table.ts'
import { isActiveTenant } from '#lib/tenant/status.ts'
import { getTenant } from '#lib/tenant/tenant.ts'
import { membership } from '#lib/user/table.ts'
import { loadAccount } from './account.ts'
import { applyPlanPayment } from './apply-payment.ts'
import { issueDocument } from './documents.ts'
import { loadGroup, nextChoice, quoteFacts } from './group-plan.ts'
import { quoteRenewal } from './quote-rules.ts'
import { planPurchase } from './table.ts'

/** A plan is charged a day before its period ends, so that it does not end meanwhile. */
const AHEAD_MS = DAY_MS

const DUE = `select 1 from billing_account a join subscription s on s.tenant_id = a.tenant_id
  where a.card_payment_id is not null and s.state = 'current' and s.trial_ends_at is null
    and s.next_payment between $1::timestamptz - interval '${PLAN_GRACE_DAYS} days' and $1::timestamptz + interval '1 day' limit 1`

/**
 * Charges the saved cards of schools for the next periods of their plans, a failed charge again each day until the days of
 * grace end. Trials are not charged. Periodic; returns how many charges were made.
 */
export function chargePlans(now = new Date()): Promise<number> {
  return forEachTenant({ job: 'billing.chargePlans', dueSql: DUE, now }, async (tenantId) => {
    const task = { job: 'billing.chargePlans', tenantId, items: PLAN_GROUPS, idOf: (group: PlanGroup) => group }
    return forEachItem(task, async (group) => {
      const request = await inTenant({ tenantId }, (tx) => prepareCharge(tx, tenantId, group, now))
      if (request) await charge(request)
      return request ? 1 : 0
    })
  })
}

async function charge(request: ChargeRequest): Promise<void> {
  try {
    await chargeSubscription(applyPlanPayment, request)
  } catch (error) {
    // The card was removed meanwhile, or the installation has no keys of the provider any more.
    if (!(error instanceof Refusal)) throw error
    log.warn({ paymentId: request.paymentId, code: error.code }, 'A plan could not be charged')
  }
}

async function prepareCharge(tx: Tx, tenantId: string, group: PlanGroup, now: Date): Promise<ChargeRequest | null> {
  if (!(await isActiveTenant(tenantId))) return null
  const { timeZone } = await getTenant(tenantId)
  const state = await loadGroup(tx, tenantId, group, { lock: true })
  const { present, next } = state
  const choice = nextChoice(state)
  if (!present?.until || !present.isPaid || !choice || next?.paidUntil) return null
  const lateMs = now.getTime() - (present.until.getTime() - AHEAD_MS)
  if (lateMs < 0 || now.getTime() > present.until.getTime() + PLAN_GRACE_DAYS * DAY_MS) return null
  const { card } = await loadAccount(tx)
  if (!card) return null
  const { plan, period, addOns } = choice
  const chosen = { plan, period, addOns }
  const quote = quoteRenewal(present, chosen, quoteFacts(group, timeZone, now))
  const values = { chosen, amount: quote.amount, paidFrom: quote.from, paidUntil: quote.until }
  const createdBy = await findOwnerId(tx)
  if (!createdBy || (await isBeingPaid(tx, group))) return null
  const autoKey = `${group}/${present.until.toISOString()}`
  const [known] = await tx.select({ id: planPurchase.id }).from(planPurchase).where(eq(planPurchase.autoKey, autoKey))
  if (known && (await isCharged(tx, known.id))) return null
  const [purchase] = await tx
    .insert(planPurchase)
    .values({ tenantId, group, kind: 'renewal', autoKey, createdBy, ...values })
    .onConflictDoUpdate({
      target: [planPurchase.tenantId, planPurchase.autoKey],
      set: values,
      setWhere: eq(planPurchase.state, 'new'),
    })
    .returning()
  if (!purchase) return null
  await issueDocument(tx, 'invoice', purchase)
  const attempt = Math.floor(lateMs / DAY_MS)
  return { tenantId, paymentId: card.paymentId, amount: purchase.amount, onceKey: `${purchase.id}/${attempt}` }
}

// While the outcome of a charge is unknown the card is not charged again.
async function isCharged(tx: Tx, purchaseId: string): Promise<boolean> {
  const rows = await tx
    .select({ id: payment.id })
    .from(payment)
    .where(and(eq(payment.purpose, 'plan'), like(payment.onceKey, `${purchaseId}/%`), ne(payment.status, 'error')))
    .limit(1)
  return rows.length > 0
}

// The owner pays at the same moment, and the bank has not decided.
async function isBeingPaid(tx: Tx, group: PlanGroup): Promise<boolean> {
  const rows = await tx
    .select({ id: payment.id })
    .from(planPurchase)
    .innerJoin(payment, and(eq(payment.tenantId, planPurchase.tenantId), eq(payment.purposeId, planPurchase.id)))
    .where(
      and(
        eq(planPurchase.group, group),
        eq(planPurchase.state, 'new'),
        eq(payment.purpose, 'plan'),
        eq(payment.status, 'pending'),
      ),
    )
    .limit(1)
  return rows.length > 0
}

async function findOwnerId(tx: Tx): Promise<string | null> {
  const [owner] = await tx
    .select({ id: membership.id })
    .from(membership)
    .where(eq(membership.accountType, 'ACCOUNT_TYPE_PRODUCT_OWNER'))
    .limit(1)
  return owner?.id ?? null
}
