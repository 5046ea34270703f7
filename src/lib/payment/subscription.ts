import { and, eq } from 'drizzle-orm'
import { inTenant, requireNoTransaction, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { getTenant } from '#lib/tenant/tenant.ts'
import { changeStatus, childOf } from './apply-event.ts'
import { listPaymentMethods } from './methods.ts'
import { type ApplyPayment, getPayment, lockPayment, type Payment, toProviderPayment } from './payment.ts'
import { ProviderUnavailable } from './provider.ts'
import { findAccount, getProvider } from './provider-accounts.ts'
import { pendingIfUnavailable } from './refund.ts'
import { FIRST_POLL_MS } from './rules.ts'
import { addressesOf } from './start.ts'
import { payment } from './table.ts'

export interface ChargeRequest {
  tenantId: string
  /** The payment with the status `subscribed`. */
  paymentId: string
  /** Minor units. */
  amount: number
  /** A second request with the same key charges nothing and returns the first charge. */
  onceKey: string
}

/**
 * Charges the saved card of a subscription, outside of a transaction, with a provider whose recurring mode is `token`.
 * The charge is `success`, `error`, or `pending` while the outcome is unknown. Refuses with not_found.
 */
export async function chargeSubscription(apply: ApplyPayment, request: ChargeRequest): Promise<Payment> {
  requireNoTransaction()
  const prepared = await inTenant(request, (tx) => insertCharge(tx, request))
  if (!prepared.account) return prepared.charge
  const { subscription, charge, account } = prepared
  const { subdomain } = await getTenant(request.tenantId)
  const provider = getProvider(subscription.provider)
  if (!provider.chargeCard) throw new Refusal('not_found')
  const result = await provider
    .chargeCard(account, toProviderPayment(subscription), toProviderPayment(charge), addressesOf(charge, subdomain))
    .catch(pendingIfUnavailable)
  await inTenant(request, async (tx) => {
    const locked = await lockPayment(tx, charge.id)
    if (locked) await changeStatus(tx, apply, locked, result.status, result)
  })
  return getPayment(request.tenantId, charge.id)
}

/**
 * Ends a subscription: the provider charges no more. A second call changes nothing. Refuses with not_found, and
 * unavailable when the provider does not answer.
 */
export async function cancelSubscription(
  apply: ApplyPayment,
  { tenantId, paymentId }: { tenantId: string; paymentId: string },
): Promise<void> {
  requireNoTransaction()
  const row = await getPayment(tenantId, paymentId)
  if (row.kind !== 'recurrent' || row.parentId) throw new Refusal('not_found')
  if (row.status !== 'subscribed') return
  const provider = getProvider(row.provider)
  const account = await inTenant(row, (tx) => findAccount(tx, row.provider, row.purpose))
  if (provider.cancelSubscription && account)
    await provider.cancelSubscription(account, toProviderPayment(row)).catch((error: unknown) => {
      if (error instanceof ProviderUnavailable) throw new Refusal('unavailable', { message: 'payment_unavailable' })
      throw error
    })
  await inTenant(row, async (tx) => {
    const locked = await lockPayment(tx, paymentId)
    if (locked) await changeStatus(tx, apply, locked, 'canceled')
  })
}

/** Whether a subscription of test payments would go without money in a school that receives money by now. */
async function isOutlivedTest(tx: Tx, { purpose, isTest, currency }: Payment): Promise<boolean> {
  if (purpose !== 'order' || !isTest) return false
  const methods = await listPaymentMethods(tx, { currency, mayTest: true })
  return !methods.some((method) => method.isTest)
}

async function insertCharge(tx: Tx, { paymentId, amount, onceKey }: ChargeRequest) {
  const subscription = await lockPayment(tx, paymentId)
  if (subscription?.status !== 'subscribed' || !subscription.cardToken) throw new Refusal('not_found')
  const isSame = and(eq(payment.parentId, paymentId), eq(payment.onceKey, onceKey))
  const [known] = await tx.select().from(payment).where(isSame)
  if (known) return { subscription, charge: known, account: null }
  const account = await findAccount(tx, subscription.provider, subscription.purpose)
  if (!account || (await isOutlivedTest(tx, subscription))) throw new Refusal('not_found')
  const nextPollAt = new Date(Date.now() + FIRST_POLL_MS)
  const [charge] = await tx
    .insert(payment)
    .values({ ...childOf(subscription), kind: 'recurrent', amount, onceKey, nextPollAt })
    .returning()
  if (!charge) throw new Error('the charge was not stored')
  return { subscription, charge, account }
}
