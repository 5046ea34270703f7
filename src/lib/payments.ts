import type { PaymentPurposes } from '#lib/payment/payment.ts'

/** The effects of the payments of each purpose, by the modules that sell something. */
export const paymentPurposes: PaymentPurposes = {
  order: async () => {},
  plan: async () => {},
}
