import { eq } from 'drizzle-orm'
import { addressOf } from '#lib/core/config/config.ts'
import { inTenant } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Locale } from '#lib/core/shared/locale.ts'
import { HOUR_MS } from '#lib/core/shared/time.ts'
import { getTenant } from '#lib/tenant/tenant.ts'
import { INSTALLATION } from './callback.ts'
import { getPayment, lockPayment, type Payment, toProviderPayment } from './payment.ts'
import { type PaymentAddresses, type PaymentStep, ProviderUnavailable } from './provider.ts'
import { findAccount, getProvider } from './provider-accounts.ts'
import { parseReference, referenceOf } from './reference.ts'
import { FIRST_POLL_MS, isOpenStatus } from './rules.ts'
import { payment } from './table.ts'

/** Pages of providers are valid for a day. */
const STEP_MS = 23 * HOUR_MS

export interface StartedPayment {
  payment: Payment
  /** Null when there is nothing to pay any more. */
  step: PaymentStep | null
}

/**
 * Prepares the redirect of a buyer to the provider; a second call returns the same one. Refuses with not_found, and
 * unavailable when the provider does not answer.
 */
export async function startPayment(reference: string, locale: Locale): Promise<StartedPayment> {
  const row = await findPaymentByReference(reference)
  if (!isOpenStatus(row.status) || row.kind === 'refund' || row.parentId) return { payment: row, step: null }
  // A second page at the provider could be paid as well.
  if (row.stepUrl && row.stepEndsAt && row.stepEndsAt > new Date())
    return { payment: row, step: { kind: 'redirect', url: row.stepUrl } }
  const account = await inTenant(row, (tx) => findAccount(tx, row.provider, row.purpose))
  if (!account) throw new Refusal('not_found')
  const { subdomain } = await getTenant(row.tenantId)
  const addresses = addressesOf(row, subdomain)
  const step = await getProvider(row.provider)
    .start(account, toProviderPayment(row), addresses, locale)
    .catch((error: unknown) => {
      if (error instanceof ProviderUnavailable) throw new Refusal('unavailable', { message: 'payment_unavailable' })
      throw error
    })
  return { payment: row, step: await rememberStep(row, step) }
}

/** The payment that a reference in an address names. Refuses with not_found. */
export async function findPaymentByReference(reference: string): Promise<Payment> {
  const named = parseReference(reference)
  if (!named) throw new Refusal('not_found')
  return getPayment(named.tenantId, named.id)
}

/** The URLs that are sent to the provider of a payment. */
export function addressesOf(
  row: Pick<Payment, 'tenantId' | 'id' | 'provider' | 'purpose'>,
  subdomain: string,
): PaymentAddresses {
  const account = row.purpose === 'plan' && row.provider !== 'sandbox' ? INSTALLATION : row.tenantId
  return {
    callbackUrl: addressOf(null, `/v1/payment/callback/${row.provider}/${account}`),
    returnUrl: addressOf(null, `/v1/payment/return/${referenceOf(row)}`),
    siteUrl: addressOf(subdomain, ''),
  }
}

// Of two concurrently prepared redirects the first one is used.
async function rememberStep(row: Payment, step: PaymentStep): Promise<PaymentStep> {
  return inTenant(row, async (tx) => {
    const locked = await lockPayment(tx, row.id)
    const isPrepared = locked?.stepUrl && locked.stepUrl !== row.stepUrl
    if (isPrepared && locked.stepUrl) return { kind: 'redirect', url: locked.stepUrl }
    const link = step.kind === 'redirect' && step.providerRef ? step : null
    await tx
      .update(payment)
      .set({
        nextPollAt: locked?.nextPollAt ?? new Date(Date.now() + FIRST_POLL_MS),
        ...(link && { stepUrl: link.url, stepEndsAt: new Date(Date.now() + STEP_MS), providerRef: link.providerRef }),
      })
      .where(eq(payment.id, row.id))
    return step
  })
}
