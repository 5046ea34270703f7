import type { PaymentPurposes } from '#lib/payment/payment.ts'
import { applyPlanPayment } from './billing/apply-payment.ts'
import { applyOrderPayment } from './offer/order/apply-payment.ts'

/** The effects of the payments of each purpose, by the modules that sell something. */
export const paymentPurposes: PaymentPurposes = {
  order: applyOrderPayment,
  plan: applyPlanPayment,
}
