import { inTenant } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { handleCallback } from './callback.ts'
import { listPaymentMethods, listPlanMethods, mayMakeTestPayments } from './methods.ts'
import type { Payment, PaymentPurposes } from './payment.ts'
import { sandboxCallback } from './providers/sandbox.ts'
import { referenceOf } from './reference.ts'
import type { SandboxAnswer } from './schema.ts'
import { findPaymentByReference } from './start.ts'

type Visitor = Pick<Actor, 'tenantId' | 'roles'> | null

/**
 * The payment whose answer a visitor chooses on the page of the sandbox. Refuses with not_found where the sandbox is not
 * offered to the visitor, also for a payment that another visitor has begun.
 */
export async function getSandboxPayment(reference: string, visitor: Visitor = null): Promise<Payment> {
  const row = await findPaymentByReference(reference)
  const filter = { currency: row.currency, mayTest: mayMakeTestPayments(visitor, row.tenantId) }
  const methods =
    row.purpose === 'plan' ? listPlanMethods(filter) : await inTenant(row, (tx) => listPaymentMethods(tx, filter))
  if (row.provider !== 'sandbox' || !methods.some(({ provider }) => provider === 'sandbox'))
    throw new Refusal('not_found')
  return row
}

/** Responds like a bank, by a signed callback. Returns the address to which the buyer returns. */
export async function answerSandbox(
  purposes: PaymentPurposes,
  reference: string,
  status: SandboxAnswer,
  visitor: Visitor = null,
): Promise<{ returnUrl: string }> {
  const row = await getSandboxPayment(reference, visitor)
  const { amount, currency, tenantId, returnUrl } = row
  const { body, headers } = sandboxCallback({ reference: referenceOf(row), status, amount, currency })
  await handleCallback(purposes, { provider: 'sandbox', account: tenantId, body, headers: new Headers(headers) })
  return { returnUrl }
}
