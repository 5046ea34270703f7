import { desc } from 'drizzle-orm'
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { listPurchases } from '#lib/billing/history.ts'
import { PLAN_OFFERS } from '#lib/billing/plans.ts'
import { previewPromo, promoDiscount } from '#lib/billing/promo.ts'
import { buyPlan, previewChange } from '#lib/billing/purchase.ts'
import { BuyPlan, ChangePlan } from '#lib/billing/schema.ts'
import { planPurchase } from '#lib/billing/table.ts'
import { readConfig } from '#lib/core/config/config.ts'
import { inTenant, pool } from '#lib/core/db/db.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { PlanGroup } from '#lib/core/shared/role.ts'
import { answerSandbox } from '#lib/payment/sandbox-answer.ts'
import { paymentPurposes } from '#lib/payments.ts'
import { createOtherTenant, createTestTenant, type TestTenant } from '../../setup/tenants.ts'

vi.mock('#lib/core/config/config.ts', async (importOriginal) => {
  const actual = await importOriginal<typeof import('#lib/core/config/config.ts')>()
  const codes =
    '{"WELCOME-20":{"percent":20},"AUTUMN-2025":{"percent":50,"until":"2025-11-30"},"PARTNER-ALL":{"percent":100}}'
  const { planPromoCodes } = actual.readConfig({ PLAN_PROMO_CODES: codes })
  return { ...actual, config: { ...actual.config, devPages: true, planPromoCodes } }
})

let home: TestTenant
let owner: Actor
beforeEach(async () => {
  await pool.query('delete from throttle')
  home = await createTestTenant()
  owner = home.as.OWNER
})
afterAll(() => pool.end())

const FULL = PLAN_OFFERS.lms.start.prices.month
const DISCOUNTED = FULL * 0.8

function buy(
  promo: string,
  amount: number,
  { group = 'lms', actor = owner }: { group?: PlanGroup; actor?: Actor } = {},
) {
  const input = { group, plan: 'start', period: 'month', provider: 'sandbox', amount, promo }
  return buyPlan(actor, BuyPlan.parse(input))
}
const pay = (path: string | null) => answerSandbox(paymentPurposes, path?.split('/').at(-1) ?? '', 'success')
const refusedPromo = (problem: string) => ({ code: 'unprocessable', details: { fields: { promo: [problem] } } })

test('a promo code reduces one payment, however it is typed, and is used once by a school', async () => {
  expect(await previewPromo(owner, { group: 'lms', promo: ' welcome-20 ' })).toMatchObject({
    promo: { code: 'WELCOME-20', percent: 20 },
  })
  const path = await buy('welcome-20', DISCOUNTED)
  expect(await buy('WELCOME-20', DISCOUNTED)).toBe(path)
  await pay(path)
  expect(await listPurchases(owner)).toMatchObject([{ amount: DISCOUNTED, state: 'paid' }])
  const again = { promo: null, problem: 'coupon_used_by_you' }
  expect(await previewPromo(owner, { group: 'workshop', promo: 'WELCOME-20' })).toEqual(again)
  await expect(buy('WELCOME-20', DISCOUNTED, { group: 'workshop' })).rejects.toMatchObject(
    refusedPromo('coupon_used_by_you'),
  )
  const other = (await createOtherTenant()).as.OWNER
  expect(await buy('WELCOME-20', DISCOUNTED, { actor: other })).toMatch(/^\/payment\//)
})

test('a code that is being paid for one group is not used for the other at the same time', async () => {
  await buy('WELCOME-20', DISCOUNTED)
  const amount = PLAN_OFFERS.workshop.start.prices.month * 0.8
  await expect(buy('WELCOME-20', amount, { group: 'workshop' })).rejects.toMatchObject(
    refusedPromo('coupon_used_by_you'),
  )
})

test('the whole amount needs no payment, and the plan begins at once', async () => {
  expect(await buy('PARTNER-ALL', 0)).toBeNull()
  const input = ChangePlan.parse({ group: 'lms', plan: 'start', period: 'month' })
  expect(await previewChange(owner, input)).toEqual({ effect: 'none' })
})

describe('an upgrade after a promo code', () => {
  const price = (plan: 'start' | 'pro' | 'max') => PLAN_OFFERS.lms[plan].prices.month
  const HALF_HOUR = 30 * 60_000
  /** What an upgrade costs at an instant. */
  async function costOfUpgrade(plan: 'pro' | 'max', at: Date): Promise<number> {
    const quote = await previewChange(owner, ChangePlan.parse({ group: 'lms', plan, period: 'month' }), at)
    if (quote.effect !== 'now') throw new Error('it is not bought')
    return quote.amount
  }
  /** The time that the latest purchase has paid for. */
  async function paidTime(): Promise<{ from: Date; until: Date; shareAt: (at: Date) => number }> {
    const rows = await inTenant(owner, (tx) => tx.select().from(planPurchase).orderBy(desc(planPurchase.createdAt)))
    const [paid] = rows
    if (!paid) throw new Error('nothing was bought')
    const { paidFrom: from, paidUntil: until } = paid
    const shareAt = (at: Date) => (until.getTime() - at.getTime()) / (until.getTime() - from.getTime())
    return { from, until, shareAt }
  }
  /** A whole hour near the middle of a time: amounts are those of its hour. */
  const middleOf = ({ from, until }: { from: Date; until: Date }) =>
    new Date(Math.round((from.getTime() + until.getTime()) / 2 / (2 * HALF_HOUR)) * 2 * HALF_HOUR)

  test('deducts what was paid for the rest, not its list price', async () => {
    await pay(await buy('WELCOME-20', DISCOUNTED))
    const paid = await paidTime()
    const middle = middleOf(paid)
    const expected = (price('pro') - DISCOUNTED) * paid.shareAt(middle)
    expect(Math.abs((await costOfUpgrade('pro', middle)) - expected)).toBeLessThanOrEqual(1)
  })

  test('deducts nothing of a plan for which nothing was paid', async () => {
    await buy('PARTNER-ALL', 0)
    const paid = await paidTime()
    const middle = middleOf(paid)
    const expected = price('pro') * paid.shareAt(middle)
    expect(Math.abs((await costOfUpgrade('pro', middle)) - expected)).toBeLessThanOrEqual(1)
  })

  test('pays a discount once: in two steps it costs what it costs at once', async () => {
    await pay(await buy('WELCOME-20', DISCOUNTED))
    const at = middleOf(await paidTime())
    const atOnce = await costOfUpgrade('max', at)
    const first = await costOfUpgrade('pro', at)
    const input = { group: 'lms', plan: 'pro', period: 'month', provider: 'sandbox', amount: first }
    await pay(await buyPlan(owner, BuyPlan.parse(input), at))
    expect(first + (await costOfUpgrade('max', at))).toBe(atOnce)
  })

  test('with a code of its own is credited with its reduced price', async () => {
    await pay(await buy('WELCOME-20', DISCOUNTED))
    const at = middleOf(await paidTime())
    const atOnce = await costOfUpgrade('max', at)
    const first = await costOfUpgrade('pro', at)
    const promo = { promo: 'PARTNER-ALL', provider: 'sandbox', amount: 0 }
    await buyPlan(owner, BuyPlan.parse({ group: 'lms', plan: 'pro', period: 'month', ...promo }), at)
    expect(await costOfUpgrade('max', at)).toBe(atOnce)
    expect(first).toBeGreaterThan(0)
  })
})

test.each([
  { promo: 'NOSUCHCODE', problem: 'coupon_unknown' },
  { promo: '__proto__', problem: 'coupon_unknown' },
  { promo: 'AUTUMN-2025', problem: 'coupon_ended' },
])('$promo is refused: $problem', async ({ promo, problem }) => {
  expect(await previewPromo(owner, { group: 'lms', promo })).toEqual({ promo: null, problem })
  await expect(buy(promo, FULL / 2)).rejects.toMatchObject(refusedPromo(problem))
})

test('an amount without the discount, or with a larger one, is not accepted with a code', async () => {
  for (const amount of [FULL, DISCOUNTED - 1])
    await expect(buy('WELCOME-20', amount)).rejects.toMatchObject({
      details: { fields: { form: ['plan_price_changed'] } },
    })
  await expect(buy('', DISCOUNTED)).rejects.toMatchObject({ details: { fields: { form: ['plan_price_changed'] } } })
})

test('only the owner tries codes', async () => {
  for (const role of ['DIRECTOR', 'EXPERT', 'MEMBER', 'STUDENT'] as const) {
    const tried = (async () => previewPromo(home.as[role], { group: 'lms', promo: 'WELCOME-20' }))()
    await expect(tried, role).rejects.toMatchObject({ code: 'forbidden' })
  }
})

test('discounts are rounded to the nearest minor unit', () => {
  const promo = { code: 'ANY-CODE', percent: 33 }
  expect([0, 1, 2, 59_001].map((amount) => promoDiscount(amount, promo))).toEqual([0, 0, 1, 19_470])
  expect(promoDiscount(59_001, null)).toBe(0)
})

test('codes of the configuration are checked at the start', () => {
  expect(readConfig({ PLAN_PROMO_CODES: '{"WELCOME-20":{"percent":20}}' }).planPromoCodes.size).toBe(1)
  for (const invalid of ['{', '{"short":{"percent":20}}', '{"WELCOME-20":{"percent":101}}'])
    expect(() => readConfig({ PLAN_PROMO_CODES: invalid })).toThrow('PLAN_PROMO_CODES')
})
