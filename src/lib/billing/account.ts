import { eq } from 'drizzle-orm'
import { recordAuditEntry } from '#lib/audit/audit.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { enqueueJob } from '#lib/core/jobs/jobs.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { Payment } from '#lib/payment/payment.ts'
import type { ProviderName } from '#lib/payment/schema.ts'
import { cancelSubscription } from '#lib/payment/subscription.ts'
import { payment } from '#lib/payment/table.ts'
import { requireBillingManager } from './overview.ts'
import type { BillingDetails } from './schema.ts'
import { billingAccount } from './table.ts'

export interface BillingAccount extends BillingDetails {
  /** The saved card that is charged for the next periods. */
  card: SavedCard | null
}

export interface SavedCard {
  paymentId: string
  provider: ProviderName
  /** The last digits, or empty. */
  mask: string
}

/** The details on invoices and the saved card of the actor's school. Refuses with forbidden. */
export function getBillingAccount(actor: Actor): Promise<BillingAccount> {
  requireBillingManager(actor)
  return inTenant(actor, loadAccount)
}

/** The same for the transaction's tenant. */
export async function loadAccount(tx: Tx): Promise<BillingAccount> {
  const [row] = await tx
    .select({
      name: billingAccount.name,
      taxId: billingAccount.taxId,
      address: billingAccount.address,
      paymentId: payment.id,
      provider: payment.provider,
      mask: payment.cardMask,
      status: payment.status,
      token: payment.cardToken,
    })
    .from(billingAccount)
    .leftJoin(payment, eq(payment.id, billingAccount.cardPaymentId))
  const { name = '', taxId = '', address = '' } = row ?? {}
  const { paymentId, provider } = row ?? {}
  const isUsable = row?.status === 'subscribed' && row.token !== null
  const card = isUsable && paymentId && provider ? { paymentId, provider, mask: row.mask ?? '' } : null
  return { name, taxId, address, card }
}

/** Changes the details on the next invoices; issued ones stay as they are. Refuses with forbidden. */
export async function saveBillingDetails(actor: Actor, input: BillingDetails): Promise<void> {
  requireBillingManager(actor)
  const values = { ...input, changedAt: new Date() }
  await inTenant(actor, async (tx) => {
    await tx
      .insert(billingAccount)
      .values({ tenantId: actor.tenantId, ...values })
      .onConflictDoUpdate({ target: billingAccount.tenantId, set: values })
    await recordAuditEntry(tx, actor, {
      action: 'plan.details_changed',
      objectId: actor.tenantId,
      objectName: actor.tenantName,
      after: { name: input.name },
    })
  })
}

/** Removes the saved card: the owner pays the next periods. A second call does nothing. Refuses with forbidden. */
export async function removeCard(actor: Actor): Promise<void> {
  requireBillingManager(actor)
  await inTenant(actor, async (tx) => {
    const { card } = await loadAccount(tx)
    if (!card) return
    await tx.update(billingAccount).set({ cardPaymentId: null, changedAt: new Date() })
    await endCard(actor.tenantId, card.paymentId)
    await recordAuditEntry(tx, actor, {
      action: 'plan.card_removed',
      objectId: actor.tenantId,
      objectName: actor.tenantName,
    })
  })
}

/** Uses the card that a payment has saved, in the transaction of the payment; the former one is removed. */
export async function storeCard(tx: Tx, { tenantId, id, cardToken }: Payment): Promise<void> {
  if (!cardToken) return
  const { card } = await loadAccount(tx)
  await tx
    .insert(billingAccount)
    .values({ tenantId, cardPaymentId: id })
    .onConflictDoUpdate({ target: billingAccount.tenantId, set: { cardPaymentId: id, changedAt: new Date() } })
  if (card && card.paymentId !== id) await endCard(tenantId, card.paymentId)
}

/** Removes a saved card that is not used any more at the provider. A job. */
export const endSavedCard = (saved: { tenantId: string; paymentId: string }): Promise<void> =>
  cancelSubscription(async () => {}, saved)

const endCard = (tenantId: string, paymentId: string): Promise<void> =>
  enqueueJob('billing.endSavedCard', { tenantId, paymentId })
