import { beforeEach, describe, expect, test, vi } from 'vitest'
import { listPurchases } from '#lib/billing/history.ts'
import { getBilling, listExceeded } from '#lib/billing/overview.ts'
import {
  buyPlan,
  cancelChange,
  previewChange,
  previewRenewal,
  renewPlan,
  scheduleChange,
} from '#lib/billing/purchase.ts'
import { BuyPlan, ChangePlan } from '#lib/billing/schema.ts'
import { switchPlans } from '#lib/billing/switch-plans.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { ROLES } from '#lib/core/shared/role.ts'
import { parseReference } from '#lib/payment/reference.ts'
import { answerSandbox } from '#lib/payment/sandbox-answer.ts'
import { paymentPurposes } from '#lib/payments.ts'
import { planUsage } from '#lib/plan-usage.ts'
import { getSessionInfo } from '#lib/user/session-info.ts'
import { auditedActions } from '../../setup/audit.ts'
import { whileRowsFail } from '../../setup/failing-rows.ts'
import { setPlan } from '../../setup/parsed/billing.ts'
import { createOtherTenant, createTestTenant, signInTestUser, type TestTenant } from '../../setup/tenants.ts'

// Plans are paid with the sandbox on an installation of a developer only.
vi.mock('#lib/core/config/config.ts', async (importOriginal) => {
  const actual = await importOriginal<typeof import('#lib/core/config/config.ts')>()
  return { ...actual, config: { ...actual.config, devPages: true } }
})

const DAY = 24 * 3600 * 1000

let home: TestTenant
let owner: Actor
beforeEach(async () => {
  home = await createTestTenant()
  owner = home.as.OWNER
})

const change = (input: object) => ChangePlan.parse({ group: 'lms', plan: 'pro', period: 'month', ...input })
const refused = (reason: string) => ({ code: 'unprocessable', details: { fields: { form: [reason] } } })

/** Buys what the preview shows; returns the address of the payment. */
async function buy(input: object, actor = owner): Promise<string> {
  const quote = await previewChange(actor, change(input))
  if (quote.effect !== 'now') throw new Error('it is not bought')
  const path = await buyPlan(actor, BuyPlan.parse({ ...change(input), provider: 'sandbox', amount: quote.amount }))
  return path?.split('/').at(-1) ?? ''
}
async function renew(actor = owner): Promise<string> {
  const renewal = await previewRenewal(actor, { group: 'lms' })
  if (!renewal) throw new Error('it is not renewed')
  const path = await renewPlan(actor, { group: 'lms', provider: 'sandbox', amount: renewal.quote.amount })
  return path?.split('/').at(-1) ?? ''
}
const pay = (reference: string) => answerSandbox(paymentPurposes, reference, 'success')
const lms = async (actor = owner) => {
  const { groups } = await getBilling(actor, planUsage)
  const group = groups.find((plan) => plan.group === 'lms')
  if (!group?.present) throw new Error('the school has no plan')
  return { ...group, present: group.present }
}
const setPaid = (days: number, plan: 'start' | 'pro' | 'max' = 'start') =>
  setPlan({ tenantId: home.tenant.id, group: 'lms', plan, nextPayment: new Date(Date.now() + days * DAY) })

describe('a payment', () => {
  test('ends the trial and keeps its days, once however often it is reported', async () => {
    const trialEnd = (await lms()).present.until
    const reference = await buy({ plan: 'start' })
    expect((await lms()).phase).toBe('trial')
    await pay(reference)
    await pay(reference)
    const { present, phase } = await lms()
    expect([present.plan, phase]).toEqual(['start', 'active'])
    const days = ((present.until?.getTime() ?? 0) - (trialEnd?.getTime() ?? 0)) / DAY
    expect(days).toBeGreaterThan(27)
    expect(days).toBeLessThan(32)
    expect(await listPurchases(owner)).toMatchObject([{ state: 'paid', payment: 'success', amount: 49_000 }])
    expect(await auditedActions(owner, owner.tenantId)).toContain('plan.bought')
  })

  test('that failed changes nothing', async () => {
    const reference = await buy({ plan: 'max' })
    await answerSandbox(paymentPurposes, reference, 'error')
    expect((await lms()).phase).toBe('trial')
    expect(await listPurchases(owner)).toMatchObject([{ state: 'new', payment: 'error' }])
  })

  test('of an upgrade raises the limits at once until the same day, with add-ons in the session', async () => {
    await setPaid(15)
    const { until } = (await lms()).present
    await pay(await buy({ plan: 'pro', addOns: { student_count: 2 } }))
    const { actor } = await signInTestUser(owner.userId, home.tenant.subdomain)
    expect((await lms(actor)).present).toMatchObject({ plan: 'pro', addOns: { student_count: 2 }, until })
    expect((await getBilling(actor, planUsage)).usage).toContainEqual({ limit: 'student_count', used: 1, max: 1200 })
    expect(getSessionInfo(actor).current_dop_tariff).toEqual([
      {
        limit: 'student_count',
        quantity: 200,
        next_payment: expect.any(String),
      },
    ])
  })

  test('continues the period of a plan, and of two payments each adds one', async () => {
    await setPaid(5)
    const { until } = (await lms()).present
    const first = await renew()
    // The second tab has another amount, so that it is another purchase.
    const second = await buy({ plan: 'pro' })
    await pay(second)
    await pay(first)
    const { present, next } = await lms()
    expect(present).toMatchObject({ plan: 'pro', until })
    expect(next).toMatchObject({ plan: 'start' })
    expect(next?.paidUntil?.getTime()).toBeGreaterThan((until?.getTime() ?? 0) + 27 * DAY)
  })
})

describe('a purchase', () => {
  test('is refused everyone but the owner', async () => {
    for (const role of ROLES.filter((name) => name !== 'OWNER')) {
      const actor = home.as[role]
      const input = BuyPlan.parse({ ...change({}), provider: 'sandbox', amount: 149_000 })
      const actions = [
        async () => buyPlan(actor, input),
        async () => renewPlan(actor, input),
        async () => scheduleChange(actor, input),
        async () => cancelChange(actor, { group: 'lms' }),
        async () => previewChange(actor, input),
        async () => previewRenewal(actor, { group: 'lms' }),
        async () => listExceeded(actor, input, planUsage),
        async () => listPurchases(actor),
      ]
      for (const action of actions) await expect(action(), role).rejects.toMatchObject({ code: 'forbidden' })
    }
  })

  test('posted twice is one payment, and another one closes it', async () => {
    const first = await buy({ plan: 'max' })
    expect(await buy({ plan: 'max' })).toBe(first)
    const second = await buy({ plan: 'start' })
    expect(parseReference(second)).not.toEqual(parseReference(first))
    expect((await listPurchases(owner)).map(({ payment }) => payment)).toEqual(['new', 'canceled'])
  })

  test('is refused with an amount that the page does not show, a reduction, and what the school has', async () => {
    await setPaid(15, 'pro')
    const attempt = (input: object) =>
      buyPlan(owner, BuyPlan.parse({ ...change(input), provider: 'sandbox', amount: 1 }))
    await expect(attempt({ plan: 'max' })).rejects.toMatchObject(refused('plan_price_changed'))
    await expect(attempt({ plan: 'start' })).rejects.toMatchObject(refused('plan_at_period_end'))
    await expect(attempt({ plan: 'pro' })).rejects.toMatchObject(refused('plan_unchanged'))
  })

  test('of another school is neither seen nor applied', async () => {
    const other = await createOtherTenant()
    await pay(await buy({ plan: 'max' }))
    expect(await listPurchases(other.as.OWNER)).toEqual([])
    expect((await lms(other.as.OWNER)).phase).toBe('trial')
  })
})

describe('a reduction', () => {
  test('takes effect when the paid period ends, names what is exceeded, and can be canceled', async () => {
    await setPaid(15, 'max')
    await setPlan({
      tenantId: home.tenant.id,
      group: 'workshop',
      plan: 'start',
      nextPayment: new Date(Date.now() + DAY),
    })
    const smaller = change({ plan: 'start' })
    expect(await listExceeded(owner, smaller, planUsage)).toEqual([{ limit: 'manager_count', used: 8, max: 3 }])
    await scheduleChange(owner, smaller)
    await scheduleChange(owner, smaller)
    const { actor } = await signInTestUser(owner.userId, home.tenant.subdomain)
    expect(getSessionInfo(actor).pending_tariff).toMatchObject([{ group: 'lms', lms_tariff: { plan: 'start' } }])
    expect(await lms()).toMatchObject({ present: { plan: 'max' }, next: { plan: 'start', paidUntil: null } })
    await cancelChange(owner, { group: 'lms' })
    await cancelChange(owner, { group: 'lms' })
    expect((await lms()).next).toBeNull()
    expect(await auditedActions(owner, owner.tenantId)).toEqual(
      expect.arrayContaining(['plan.change_canceled', 'plan.change_scheduled']),
    )
    await scheduleChange(owner, smaller)
    expect(await switchPlans()).toBe(0)
    await switchPlans(new Date(Date.now() + 16 * DAY))
    expect(await lms()).toMatchObject({ present: { plan: 'start' }, next: null })
  })

  test('of one group that fails stops no other', async () => {
    await setPaid(15, 'pro')
    await setPlan({ tenantId: home.tenant.id, group: 'workshop', plan: 'pro', nextPayment: new Date(Date.now() + DAY) })
    for (const group of ['lms', 'workshop']) await scheduleChange(owner, change({ group, plan: 'start' }))
    const later = new Date(Date.now() + 16 * DAY)
    const present = async () => {
      const { groups } = await getBilling(owner, planUsage)
      return groups.map((group) => group.present?.plan)
    }
    await whileRowsFail({ table: 'subscription', column: 'group', value: 'lms' }, async () => {
      await expect(switchPlans(later)).rejects.toThrow('items failed')
    })
    expect(await present()).toEqual(['pro', 'start'])
    await switchPlans(later)
    expect(await present()).toEqual(['start', 'start'])
  })

  test('that was paid in advance begins with its own period and cannot be changed before', async () => {
    await setPaid(15, 'pro')
    await scheduleChange(owner, change({ plan: 'start' }))
    await pay(await renew())
    const { present, next } = await lms()
    expect([present.plan, next?.plan]).toEqual(['pro', 'start'])
    await expect(cancelChange(owner, { group: 'lms' })).rejects.toMatchObject(refused('plan_paid_ahead'))
    expect(await previewRenewal(owner, { group: 'lms' })).toBeNull()
    await switchPlans(new Date(Date.now() + 16 * DAY))
    expect((await lms()).present).toMatchObject({ plan: 'start', until: next?.paidUntil })
  })

  test('is refused for more, which is bought', async () => {
    await setPaid(15)
    await expect(scheduleChange(owner, change({ plan: 'max' }))).rejects.toMatchObject(refused('plan_now'))
    await expect(scheduleChange(owner, change({ plan: 'start' }))).rejects.toMatchObject(refused('plan_unchanged'))
  })
})
