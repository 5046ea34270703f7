import { eq } from 'drizzle-orm'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { getBillingAccount, removeCard, saveBillingDetails } from '#lib/billing/account.ts'
import { chargePlans } from '#lib/billing/charge-plans.ts'
import { printDocument } from '#lib/billing/documents.ts'
import { listPurchases } from '#lib/billing/history.ts'
import { sendBillingNotices } from '#lib/billing/notices.ts'
import { getBilling } from '#lib/billing/overview.ts'
import { buyPlan, previewChange, scheduleChange } from '#lib/billing/purchase.ts'
import { BillingDetails, BuyPlan, ChangePlan } from '#lib/billing/schema.ts'
import { subscription } from '#lib/billing/table.ts'
import { inTenant } from '#lib/core/db/db.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { sandbox } from '#lib/payment/providers/sandbox.ts'
import { parseReference } from '#lib/payment/reference.ts'
import { answerSandbox } from '#lib/payment/sandbox-answer.ts'
import { paymentPurposes } from '#lib/payments.ts'
import { planUsage } from '#lib/plan-usage.ts'
import { setTenantStatus } from '#lib/tenant/status.ts'
import { auditedActions } from '../../setup/audit.ts'
import { whileRowsFail } from '../../setup/failing-rows.ts'
import { setPlan } from '../../setup/parsed/billing.ts'
import { listEmailsTo } from '../../setup/servers/sent-emails.ts'
import { createOtherTenant, createTestTenant, type TestTenant } from '../../setup/tenants.ts'

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
afterEach(() => {
  vi.restoreAllMocks()
})

const change = (input: object = {}) => ChangePlan.parse({ group: 'lms', plan: 'start', period: 'month', ...input })

/** Pays for the first month and saves the card; the paid time ends `endsInDays` from now. */
async function payWithCard(endsInDays: number): Promise<void> {
  await setPlan({ tenantId: owner.tenantId, group: 'lms', plan: 'start', nextPayment: new Date(Date.now() - 9 * DAY) })
  const quote = await previewChange(owner, change())
  if (quote.effect !== 'now') throw new Error('it is not bought')
  const form = { ...change(), provider: 'sandbox', amount: quote.amount, saveCard: 'true' }
  const path = await buyPlan(owner, BuyPlan.parse(form))
  await answerSandbox(paymentPurposes, path?.split('/').at(-1) ?? '', 'success')
  await setEnd(endsInDays)
}
const setEnd = (days: number) =>
  inTenant(owner, (tx) =>
    tx
      .update(subscription)
      .set({ nextPayment: new Date(Date.now() + days * DAY) })
      .where(eq(subscription.group, 'lms')),
  )
const until = async () => (await getBilling(owner, planUsage)).groups[0]?.present?.until?.getTime() ?? 0
const subjects = async () => (await listEmailsTo(owner.email, owner.tenantId)).map(({ subject }) => subject)
// The job charges the schools of other tests too.
const chargesOf = ({ mock }: { mock: { calls: readonly (readonly unknown[])[] } }) =>
  mock.calls.filter(([, , charge]) => {
    const { reference } = charge as { reference: string }
    return parseReference(reference)?.tenantId === owner.tenantId
  })
const decline = () => vi.spyOn(sandbox, 'chargeCard').mockResolvedValue({ status: 'error', failure: 'no money' })

test('a saved card pays for the next period a day before the paid time ends, exactly once', async () => {
  await payWithCard(2)
  expect((await getBillingAccount(owner)).card).toMatchObject({ provider: 'sandbox', mask: '•••• 0000' })
  const before = await until()
  await chargePlans()
  expect(await until()).toBe(before)
  await setEnd(0.5)
  const charge = vi.spyOn(sandbox, 'chargeCard')
  await Promise.all([chargePlans(), chargePlans()])
  await chargePlans()
  expect(chargesOf(charge)).toHaveLength(1)
  const days = ((await until()) - Date.now()) / DAY
  expect(days).toBeGreaterThan(27)
  expect(days).toBeLessThan(32)
  const [renewal, first] = await listPurchases(owner)
  expect(renewal).toMatchObject({ kind: 'renewal', state: 'paid', payment: 'success', amount: 49_000 })
  expect(first).toMatchObject({ state: 'paid', amount: 49_000 })
  expect(await subjects()).toEqual(expect.arrayContaining(['Тариф «Навчання» оплачено']))
})

test('a failed charge is announced, repeated the next day, and the plan is read-only after the days of grace', async () => {
  await payWithCard(0.5)
  const charge = decline()
  await chargePlans()
  await chargePlans()
  expect(chargesOf(charge)).toHaveLength(1)
  expect(await subjects()).toEqual(expect.arrayContaining(['Не вдалося списати оплату за тариф «Навчання»']))
  await chargePlans(new Date(Date.now() + DAY))
  expect(chargesOf(charge)).toHaveLength(2)
  await setEnd(-2)
  expect((await getBilling(owner, planUsage)).groups[0]).toMatchObject({ phase: 'pastDue' })
  await sendBillingNotices(planUsage)
  expect(await subjects()).toEqual(expect.arrayContaining(['Тариф «Навчання» не сплачено']))
  vi.restoreAllMocks()
  await chargePlans()
  expect((await getBilling(owner, planUsage)).groups[0]).toMatchObject({ phase: 'active' })
  await setEnd(-8)
  const late = vi.spyOn(sandbox, 'chargeCard')
  await chargePlans()
  expect(chargesOf(late)).toEqual([])
  expect((await getBilling(owner, planUsage)).groups[0]).toMatchObject({ phase: 'inactive' })
})

test('while the outcome of a charge is unknown the card is not charged again', async () => {
  await payWithCard(0.5)
  const charge = vi.spyOn(sandbox, 'chargeCard').mockResolvedValue({ status: 'pending' })
  await chargePlans()
  await chargePlans(new Date(Date.now() + DAY))
  expect(chargesOf(charge)).toHaveLength(1)
})

test('the email before a charge names the card; a planned change is charged at its price', async () => {
  await payWithCard(2)
  await setPlan({ tenantId: owner.tenantId, group: 'lms', plan: 'pro', nextPayment: new Date(Date.now() + 2 * DAY) })
  await scheduleChange(owner, change())
  await sendBillingNotices(planUsage)
  expect(await subjects()).toEqual(
    expect.arrayContaining(['Незабаром спишемо оплату за тариф «Навчання» з картки •••• 0000']),
  )
  await setEnd(0.5)
  await chargePlans()
  expect((await listPurchases(owner))[0]).toMatchObject({ amount: 49_000, state: 'paid' })
})

test('trials, removed cards and suspended schools are not charged', async () => {
  await payWithCard(0.5)
  const charge = vi.spyOn(sandbox, 'chargeCard')
  await setTenantStatus(owner.tenantId, 'active', 'suspended')
  await chargePlans()
  await setTenantStatus(owner.tenantId, 'suspended', 'active')
  const trialEndsAt = new Date(Date.now() + DAY / 2)
  await setPlan({ tenantId: owner.tenantId, group: 'lms', plan: 'pro', nextPayment: trialEndsAt, trialEndsAt })
  await chargePlans()
  await setPlan({ tenantId: owner.tenantId, group: 'lms', plan: 'pro', nextPayment: trialEndsAt })
  await removeCard(owner)
  await removeCard(owner)
  await chargePlans()
  expect(chargesOf(charge)).toEqual([])
  expect((await getBillingAccount(owner)).card).toBeNull()
  const actions = await auditedActions(owner, owner.tenantId)
  expect(actions.filter((action) => action === 'plan.card_removed')).toHaveLength(1)
})

test('invoices and acts are numbered without gaps, keep the details of their day, and are for the owner only', async () => {
  await saveBillingDetails(owner, BillingDetails.parse({ name: 'ТОВ «Школа»', taxId: '12345678', address: 'Київ' }))
  await payWithCard(0.5)
  await saveBillingDetails(owner, BillingDetails.parse({ name: 'ФОП Коваль', taxId: '1234567890', address: '' }))
  expect(await auditedActions(owner, owner.tenantId)).toContain('plan.details_changed')
  await chargePlans()
  const documents = (await listPurchases(owner)).map((purchase) =>
    purchase.documents.map(({ kind, number }) => `${kind} ${number}`).sort(),
  )
  expect(documents).toEqual([
    ['act 2', 'invoice 2'],
    ['act 1', 'invoice 1'],
  ])
  const [, first] = await listPurchases(owner)
  for (const { id: documentId, kind } of first?.documents ?? []) {
    const { bytes, name } = await printDocument(owner, { documentId }, 'uk')
    expect(Buffer.from(bytes.subarray(0, 5)).toString()).toBe('%PDF-')
    expect(name).toBe(`${kind}-${owner.subdomain.toUpperCase()}-1`)
    const other = await createOtherTenant()
    await expect(printDocument(other.as.OWNER, { documentId }, 'uk')).rejects.toMatchObject({ code: 'not_found' })
    for (const role of ['DIRECTOR', 'EXPERT', 'STUDENT'] as const)
      await expect(printDocument(home.as[role], { documentId }, 'uk')).rejects.toMatchObject({ code: 'forbidden' })
  }
  expect(BillingDetails.safeParse({ name: '', taxId: '123', address: '' }).success).toBe(false)
})

test('a charge that fails stops no other plan of the school', async () => {
  await payWithCard(0.5)
  const next = { tenantId: owner.tenantId, group: 'workshop' as const, plan: 'start' as const }
  await setPlan({ ...next, nextPayment: new Date(Date.now() + 0.5 * DAY), trialEndsAt: null })
  const purchased = async () => (await listPurchases(owner)).map(({ group }) => group)
  await whileRowsFail({ table: 'plan_purchase', column: 'group', value: 'lms' }, async () => {
    await expect(chargePlans()).rejects.toThrow('items failed')
  })
  expect(await purchased()).toEqual(['workshop', 'lms'])
  await chargePlans()
  expect(await purchased()).toEqual(['lms', 'workshop', 'lms'])
})

test('a director changes neither the details nor the card', async () => {
  const details = BillingDetails.parse({ name: '', taxId: '', address: '' })
  for (const role of ['DIRECTOR', 'EXPERT', 'CURATOR', 'STUDENT'] as const) {
    await expect(saveBillingDetails(home.as[role], details)).rejects.toMatchObject({ code: 'forbidden' })
    await expect(removeCard(home.as[role])).rejects.toMatchObject({ code: 'forbidden' })
    expect(() => getBillingAccount(home.as[role])).toThrow(expect.objectContaining({ code: 'forbidden' }))
  }
})

test('twenty purchases at once get numbers without gaps', async () => {
  const plans = ['start', 'pro', 'max'] as const
  await setPlan({ tenantId: owner.tenantId, group: 'lms', plan: 'start', nextPayment: new Date(Date.now() - 9 * DAY) })
  const paths = await Promise.all(
    Array.from({ length: 20 }, async (_, index) => {
      const input = change({ plan: plans[index % 3], addOns: { disc: index } })
      const quote = await previewChange(owner, input)
      if (quote.effect !== 'now') throw new Error('it is not bought')
      return buyPlan(owner, BuyPlan.parse({ ...input, provider: 'sandbox', amount: quote.amount }))
    }),
  )
  expect(new Set(paths).size).toBe(20)
  const numbers = (await listPurchases(owner)).flatMap(({ documents }) => documents.map(({ number }) => number))
  expect(numbers.sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1))
})
