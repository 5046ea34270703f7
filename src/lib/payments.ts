import type { PaymentPurposes } from '#lib/payment/payment.ts'

/** What the payments of each purpose cause, by the modules that sell something. */
export const paymentPurposes: PaymentPurposes = {
  order: async () => {},
  plan: async () => {},
}
