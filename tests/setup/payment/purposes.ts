import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import {
  createPayment,
  type NewPayment,
  type Payment,
  type PaymentChange,
  type PaymentPurposes,
} from '#lib/payment/payment.ts'
import { encryptKeys } from '#lib/payment/provider-accounts.ts'
import type { ProviderName } from '#lib/payment/schema.ts'
import { paymentProviderSetting } from '#lib/payment/table.ts'
import type { TestTenant } from '../tenants.ts'

/** The applied events in order; `failsWith` makes the next ones fail. */
export interface RecordingPurposes {
  purposes: PaymentPurposes
  applied: PaymentChange[]
  failsWith: Error | null
}

/** Purposes that only record their calls. */
export function recordPurposes(): RecordingPurposes {
  const recording: RecordingPurposes = { purposes: { order: record, plan: record }, applied: [], failsWith: null }
  async function record(_tx: Tx, change: PaymentChange): Promise<void> {
    if (recording.failsWith) throw recording.failsWith
    recording.applied.push(change)
  }
  return recording
}

/** Adds a payment for an order; by the sandbox, 1,200.50 UAH unless overridden by `values`. */
export function addPayment({ tenant }: TestTenant, values: Partial<NewPayment> = {}): Promise<Payment> {
  const payment: NewPayment = {
    tenantId: tenant.id,
    purpose: 'order',
    purposeId: newId(),
    provider: 'sandbox',
    amount: 120_050,
    currency: 'UAH',
    description: 'Курс «Риторика», замовлення 17',
    returnUrl: 'http://go.kafedra.localhost/order/17',
    ...values,
  }
  return inTenant({ tenantId: tenant.id }, (tx) => createPayment(tx, payment))
}

/** Stores keys of a provider, as the settings page does after its checks. */
export async function enableProvider(
  { tenant }: TestTenant,
  provider: ProviderName,
  keys: Record<string, string>,
  isTest = false,
): Promise<void> {
  const setting = { tenantId: tenant.id, provider, keys: encryptKeys(keys), isEnabled: true, isTest }
  await inTenant({ tenantId: tenant.id }, (tx) => tx.insert(paymentProviderSetting).values(setting))
}
