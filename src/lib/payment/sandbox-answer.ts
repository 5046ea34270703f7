import { inTenant } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { handleCallback } from './callback.ts'
import { listPaymentMethods, listPlanMethods } from './methods.ts'
import type { Payment, PaymentPurposes } from './payment.ts'
import { sandboxCallback } from './providers/sandbox.ts'
import { referenceOf } from './reference.ts'
import type { SandboxAnswer } from './schema.ts'
import { findPaymentByReference } from './start.ts'

/** The payment whose answer is chosen on the page of the sandbox. Refuses with not_found where the sandbox is not offered. */
export async function getSandboxPayment(reference: string): Promise<Payment> {
  const row = await findPaymentByReference(reference)
  const filter = { currency: row.currency }
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
): Promise<{ returnUrl: string }> {
  const row = await getSandboxPayment(reference)
  const { amount, currency, tenantId, returnUrl } = row
  const { body, headers } = sandboxCallback({ reference: referenceOf(row), status, amount, currency })
  await handleCallback(purposes, { provider: 'sandbox', account: tenantId, body, headers: new Headers(headers) })
  return { returnUrl }
}
