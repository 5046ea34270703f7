import { PLAN_OFFERS } from '#lib/billing/plans.ts'
import type { DocumentContent } from '#lib/billing/schema.ts'
import { planDocument, planPurchase } from '#lib/billing/table.ts'
import { inTenant } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { DAY_MS } from '#lib/core/shared/time.ts'

/** The purchase of the plan that the demo school has, with a sample of its invoice and act. */
export async function addPlanInvoice(owner: Actor): Promise<void> {
  const { tenantId, subdomain, tenantName } = owner
  const amount = PLAN_OFFERS.lms.max.prices.month
  const chosen = { plan: 'max', period: 'month', addOns: {} } as const
  const [from, until] = [new Date(), new Date(Date.now() + 30 * DAY_MS)]
  const purchaseId = newId()
  const content: DocumentContent = {
    number: `${subdomain.toUpperCase()}-1`,
    seller: { recipient: 'ТОВ «Зразок»', iban: 'UA213223130000026007233566001', taxId: '12345678' },
    buyer: { name: tenantName, taxId: '', address: '' },
    group: 'lms',
    chosen,
    amount,
    from: from.toISOString(),
    until: until.toISOString(),
    isTest: true,
  }
  await inTenant(owner, async (tx) => {
    await tx.insert(planPurchase).values({
      tenantId,
      id: purchaseId,
      group: 'lms',
      kind: 'renewal',
      chosen,
      amount,
      state: 'paid',
      paidFrom: from,
      paidUntil: until,
      createdBy: owner.membershipId,
      paidAt: from,
    })
    await tx
      .insert(planDocument)
      .values((['invoice', 'act'] as const).map((kind) => ({ tenantId, kind, number: 1, purchaseId, content })))
  })
}
