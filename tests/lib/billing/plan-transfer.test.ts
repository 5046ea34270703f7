import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { listPurchases } from '#lib/billing/history.ts'
import { confirmPlanTransfer, listPlanTransfers } from '#lib/billing/operator/transfers.ts'
import { getBilling } from '#lib/billing/overview.ts'
import { buyPlan, previewChange } from '#lib/billing/purchase.ts'
import { BuyPlan, ChangePlan } from '#lib/billing/schema.ts'
import { pool } from '#lib/core/db/db.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { planUsage } from '#lib/plan-usage.ts'
import { requestApi } from '../../api/api-request.ts'
import { auditedActions } from '../../setup/audit.ts'
import { createOtherTenant, createTestTenant, type TestTenant } from '../../setup/tenants.ts'

const BANK = { recipient: 'ТОВ «Кафедра»', iban: 'UA213223130000026007233566001', taxId: '12345678' }
const TOKEN = 'operator-token-of-the-tests-0123456789'

vi.mock('#lib/core/config/config.ts', async (importOriginal) => {
  const actual = await importOriginal<typeof import('#lib/core/config/config.ts')>()
  const bank = { recipient: 'ТОВ «Кафедра»', iban: 'UA213223130000026007233566001', taxId: '12345678' }
  const config = { ...actual.config, paymentKeys: { bank }, operatorToken: 'operator-token-of-the-tests-0123456789' }
  return { ...actual, config }
})

let home: TestTenant
let owner: Actor
let school: string
beforeAll(async () => {
  await createOtherTenant()
})
beforeEach(async () => {
  await pool.query('delete from throttle')
  home = await createTestTenant()
  owner = home.as.OWNER
  school = home.tenant.subdomain
})
afterAll(() => pool.end())

async function invoicePlan(plan: 'start' | 'pro' = 'pro'): Promise<void> {
  const input = ChangePlan.parse({ group: 'lms', plan, period: 'month' })
  const quote = await previewChange(owner, input)
  if (quote.effect !== 'now') throw new Error('it is not bought')
  await buyPlan(owner, BuyPlan.parse({ ...input, provider: 'bank', amount: quote.amount }))
}
const phaseOfLms = async () =>
  (await getBilling(owner, planUsage)).groups.find(({ group }) => group === 'lms')?.phase ?? null

test('the owner sees where to transfer the amount, and the operator confirms it once', async () => {
  await invoicePlan()
  const [awaited] = await listPurchases(owner)
  expect(awaited).toMatchObject({ state: 'new', transfer: { ...BANK, number: `${school.toUpperCase()}-1` } })
  expect(await phaseOfLms()).toBe('trial')
  const { transfers } = await listPlanTransfers({ school })
  expect(transfers).toMatchObject([{ invoice: 1, plan: 'pro', state: 'awaited', amount: awaited?.amount }])
  for (let twice = 0; twice < 2; twice += 1)
    expect(await confirmPlanTransfer({ school, invoice: 1 })).toMatchObject({ invoice: 1, state: 'paid' })
  expect(await phaseOfLms()).toBe('active')
  const [paid] = await listPurchases(owner)
  expect(paid).toMatchObject({ state: 'paid', transfer: null, documents: [{ kind: 'invoice' }, { kind: 'act' }] })
  const actions = await auditedActions(owner, owner.tenantId)
  expect(actions.filter((action) => action === 'plan.transfer_confirmed')).toHaveLength(1)
})

test('two confirmations at the same time pay once', async () => {
  await invoicePlan()
  await Promise.all([confirmPlanTransfer({ school, invoice: 1 }), confirmPlanTransfer({ school, invoice: 1 })])
  const actions = await auditedActions(owner, owner.tenantId)
  expect(actions.filter((action) => action === 'plan.transfer_confirmed')).toHaveLength(1)
})

test('money for an invoice that another one has replaced is accepted', async () => {
  await invoicePlan('start')
  await invoicePlan('pro')
  expect((await listPlanTransfers({ school })).transfers.map(({ state }) => state)).toEqual(['awaited', 'replaced'])
  await confirmPlanTransfer({ school, invoice: 1 })
  expect(await phaseOfLms()).toBe('active')
})

test('an invoice that is not there, of another school, or with a wrong number is refused', async () => {
  await invoicePlan()
  const elsewhere = (await createTestTenant()).tenant.subdomain
  for (const input of [
    { school, invoice: 2 },
    { school: elsewhere, invoice: 1 },
    { school: 'nowhere', invoice: 1 },
  ])
    await expect(confirmPlanTransfer(input)).rejects.toMatchObject({ code: 'not_found' })
  const post = (body: object) => requestApi('POST', 'operator/confirmPlanTransfer', { body, token: TOKEN })
  expect((await post({ school, invoice: 'x' })).status).toBe(400)
  expect(await post({ school, invoice: 1 })).toMatchObject({ status: 200, body: { state: 'paid' } })
})
