import { eq } from 'drizzle-orm'
import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import { lockPlans } from '#lib/billing/group-plan.ts'
import { listPurchases } from '#lib/billing/history.ts'
import { buyPlan, previewChange } from '#lib/billing/purchase.ts'
import { BuyPlan, ChangePlan } from '#lib/billing/schema.ts'
import { planPurchase } from '#lib/billing/table.ts'
import { inTenant, pool } from '#lib/core/db/db.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { lockPayment } from '#lib/payment/payment.ts'
import { parseReference } from '#lib/payment/reference.ts'
import { answerSandbox } from '#lib/payment/sandbox-answer.ts'
import { paymentPurposes } from '#lib/payments.ts'
import { startable, untilBlocked } from '../../setup/blocked.ts'
import { createTestTenant } from '../../setup/tenants.ts'

// Plans are paid with the sandbox on an installation of a developer only.
vi.mock('#lib/core/config/config.ts', async (importOriginal) => {
  const actual = await importOriginal<typeof import('#lib/core/config/config.ts')>()
  return { ...actual, config: { ...actual.config, devPages: true } }
})

let owner: Actor
beforeEach(async () => {
  owner = (await createTestTenant()).as.OWNER
})
afterAll(() => pool.end())

async function buy(plan: 'start' | 'pro'): Promise<string> {
  const input = ChangePlan.parse({ group: 'lms', plan, period: 'month' })
  const quote = await previewChange(owner, input)
  if (quote.effect !== 'now') throw new Error('it is not bought')
  const path = await buyPlan(owner, BuyPlan.parse({ ...input, provider: 'sandbox', amount: quote.amount }))
  return path?.split('/').at(-1) ?? ''
}

test('a purchase waits for the callback of the one that it replaces', async () => {
  const reference = await buy('start')
  const second = startable(() => buy('pro'))
  await inTenant(owner, async (tx) => {
    await lockPayment(tx, parseReference(reference)?.id ?? '')
    second.startOther()
    await untilBlocked()
    await lockPlans(tx, owner.tenantId)
  })
  await second.done
  expect((await listPurchases(owner)).map(({ payment }) => payment)).toEqual(['new', 'canceled'])
})

test('a callback waits for a charge of the plans that is being prepared', async () => {
  const reference = await buy('start')
  const callback = startable(() => answerSandbox(paymentPurposes, reference, 'success'))
  await inTenant(owner, async (tx) => {
    await lockPlans(tx, owner.tenantId)
    callback.startOther()
    await untilBlocked()
    await tx.update(planPurchase).set({ autoKey: 'lms/soon' }).where(eq(planPurchase.group, 'lms'))
  })
  await callback.done
  expect(await listPurchases(owner)).toMatchObject([{ state: 'paid' }])
})
