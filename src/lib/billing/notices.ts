import { eq } from 'drizzle-orm'
import { addressOf } from '#lib/core/config/config.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { getTranslator } from '#lib/core/i18n/i18n.ts'
import { forEachItem } from '#lib/core/jobs/items.ts'
import { forEachTenant } from '#lib/core/jobs/tenants.ts'
import { composeEmail } from '#lib/core/mail/email-body.ts'
import { sendEmail } from '#lib/core/mail/mail.ts'
import { formatDate, formatMoney, type Locale } from '#lib/core/shared/locale.ts'
import { graceEndOf, isAfter, isPastDue, PLAN_GRACE_DAYS, type PlanView } from '#lib/core/shared/plan.ts'
import { DAY_MS } from '#lib/core/shared/time.ts'
import type { NotificationEmail } from '#lib/notification/compose.ts'
import { notify } from '#lib/notification/notify.ts'
import { getTenant, type TenantView } from '#lib/tenant/tenant.ts'
import { membership, user } from '#lib/user/table.ts'
import { loadAccount, type SavedCard } from './account.ts'
import { getTenantPlans } from './billing.ts'
import { loadGroup, nextChoice, priceOf } from './group-plan.ts'
import { limitText } from './limit-text.ts'
import { BILLING_CURRENCY } from './plans.ts'
import type { planPurchase } from './table.ts'
import { type LimitUsage, listUsage, type UsageCounters } from './usage.ts'

const WARNING_SHARE = 0.8
/** Days before a payment at which the owner is reminded of it. */
const DUE_DAYS = 3

/**
 * Writes to the owners of schools that have used 80 or 100 % of a limit, whose payment is due, or who have not paid. Each
 * email is sent once for a limit and its value, or for a date. Returns the number of schools.
 */
export function sendBillingNotices(counters: UsageCounters, now = new Date()): Promise<number> {
  const dueSql = `select 1 from subscription where state = 'current' and next_payment > $1::timestamptz - interval '7 days' limit 1`
  return forEachTenant({ job: 'billing.sendNotices', dueSql, now }, async (tenantId) => {
    const school = await getTenant(tenantId)
    const due = await inTenant({ tenantId }, async (tx) => {
      const owner = await findOwner(tx)
      if (!owner) return null
      const plans = await getTenantPlans(tx)
      return { owner, plans: plans.plans, account: await loadAccount(tx) }
    })
    if (!due) return 0
    const payer = { ...due.owner, card: due.account.card }
    const payments = due.plans
      .filter(({ state }) => state === 'current')
      .map((plan) => ({ id: plan.group, send: (tx: Tx) => noticePayment(tx, school, payer, plan, now) }))
    const limits = {
      id: 'limits',
      send: async (tx: Tx) => {
        for (const usage of await listUsage(tx, { tenantId, ...(await getTenantPlans(tx)) }, counters, now))
          await noticeLimit(tx, school, due.owner, usage)
      },
    }
    const task = {
      job: 'billing.sendNotices',
      tenantId,
      items: [...payments, limits],
      idOf: ({ id }: { id: string }) => id,
    }
    await forEachItem(task, ({ send }) => inTenant({ tenantId }, send))
    return 1
  })
}

interface Owner {
  memberId: string
  email: string
  locale: Locale
}

async function findOwner(tx: Tx): Promise<Owner | null> {
  const [owner] = await tx
    .select({ memberId: membership.id, email: user.email, locale: user.locale })
    .from(membership)
    .innerJoin(user, eq(user.id, membership.userId))
    .where(eq(membership.accountType, 'ACCOUNT_TYPE_PRODUCT_OWNER'))
    .limit(1)
  return owner ?? null
}

// A plan with one live event at a time is not exceeded by having one.
async function noticeLimit(tx: Tx, school: TenantView, owner: Owner, { limit, used, max }: LimitUsage): Promise<void> {
  if (limit === 'conference_count' || max === null || used < max * WARNING_SHARE || used === 0) return
  const kind = used < max ? 'limit80' : 'limit100'
  const t = getTranslator(owner.locale)
  const values = {
    limit: t(`billing:feature.${limit}`),
    used: limitText(limit, used, t, owner.locale),
    max: limitText(limit, max, t, owner.locale),
  }
  await notify(tx, {
    kind: `plan_${kind}`,
    memberIds: [owner.memberId],
    key: `billing/${kind}/${limit}/${max}`,
    data: { subject: values.limit },
    link: '/billing',
    email: () => composeNotice(school, owner, { kind, values }),
  })
}

async function noticePayment(
  tx: Tx,
  school: TenantView,
  owner: Owner & { card: SavedCard | null },
  plan: PlanView,
  now: Date,
): Promise<void> {
  const { group, nextPayment } = plan
  if (!nextPayment) return
  const isDueSoon = isAfter(nextPayment, now) && !isAfter(nextPayment, new Date(now.getTime() + DUE_DAYS * DAY_MS))
  const isCharged = owner.card !== null && plan.trialEndsAt === null
  const kind = isPastDue(plan, now) ? 'pastDue' : isDueSoon ? (isCharged ? 'dueCard' : 'due') : null
  const state = kind && (await loadGroup(tx, school.id, group))
  const next = state && nextChoice(state)
  if (!kind || !next || state.next?.paidUntil) return
  const day = (at: Date | string) => formatDate(at, school.timeZone, owner.locale)
  const graceEnd = graceEndOf(plan)
  const values = {
    group: getTranslator(owner.locale)(`billing:group.${group}`),
    date: day(nextPayment),
    until: graceEnd ? day(graceEnd) : '',
    amount: formatMoney(priceOf(group, next), BILLING_CURRENCY, owner.locale),
    card: owner.card?.mask ?? '',
  }
  await emailBillingNotice(school, owner, { kind, key: `${group}/${new Date(nextPayment).toISOString()}`, values })
}

/**
 * Tells the owner, in the transaction of the payment, that a purchase is paid or that the saved card could not be charged
 * for it; once for each purchase.
 */
export async function emailPayment(
  tx: Tx,
  kind: 'paid' | 'chargeFailed',
  { id, tenantId, group, amount, paidFrom, paidUntil }: typeof planPurchase.$inferSelect,
): Promise<void> {
  const school = await getTenant(tenantId)
  const owner = await findOwner(tx)
  if (!owner) return
  const day = (at: Date) => formatDate(at, school.timeZone, owner.locale)
  const values = {
    group: getTranslator(owner.locale)(`billing:group.${group}`),
    amount: formatMoney(amount, BILLING_CURRENCY, owner.locale),
    date: day(paidUntil),
    until: day(new Date(paidFrom.getTime() + PLAN_GRACE_DAYS * DAY_MS)),
  }
  await emailBillingNotice(school, owner, { kind, key: id, values })
}

interface BillingNotice {
  kind: 'limit80' | 'limit100' | 'due' | 'dueCard' | 'pastDue' | 'paid' | 'chargeFailed'
  key: string
  values: Record<string, string>
}

// Emails about payments are always sent, so they do not depend on the notification settings.
async function emailBillingNotice(school: TenantView, owner: Owner, { key, ...notice }: BillingNotice): Promise<void> {
  const { subject, parts } = composeNotice(school, owner, notice)
  await sendEmail({
    tenantId: school.id,
    to: owner.email,
    locale: owner.locale,
    subject,
    body: composeEmail(getTranslator(owner.locale), { school: school.name, ...parts }),
    onceKey: `billing/${school.id}/${notice.kind}/${key}`,
  })
}

function composeNotice(
  school: TenantView,
  owner: Owner,
  { kind, values }: Omit<BillingNotice, 'key'>,
): NotificationEmail {
  const t = getTranslator(owner.locale)
  const text = t(`billing:email.${kind}.text`, values)
  return {
    subject: t(`billing:email.${kind}.subject`, values),
    parts: {
      preheader: text,
      heading: t(`billing:email.${kind}.heading`, values),
      paragraphs: [text],
      button: { label: t('billing:email.open'), href: addressOf(school.subdomain, '/billing') },
    },
  }
}
