import type { JobList } from '#lib/core/jobs/jobs.ts'
import { purgeRefusedSales } from './checkout/refused-sale.ts'
import { sendPaymentConfirmation } from './order/confirmation/send-payment-confirmation.ts'
import { expireOrders, followUpOrders } from './order/due-orders.ts'
import { registerOrderReceipts } from './order/resend/resend.ts'
import { compactRollups } from './report/compact.ts'
import { moveRollupsOf } from './report/move-rollups.ts'
import { endSubscriptionAtProvider, endUnneededSubscriptions } from './subscription/cancel.ts'
import { renewSubscriptions } from './subscription/renew.ts'

export const offerJobs: JobList = {
  'offer.expireOrders': { run: () => expireOrders(), cron: '* * * * *', maxAttempts: 1 },
  'offer.followUpOrders': { run: () => followUpOrders(), cron: '*/10 * * * *', maxAttempts: 1 },
  'offer.registerReceipts': { run: () => registerOrderReceipts(), cron: '* * * * *', maxAttempts: 1 },
  'offer.renewSubscriptions': { run: () => renewSubscriptions(), cron: '*/10 * * * *', maxAttempts: 1 },
  'offer.compactRollups': { run: () => compactRollups(), cron: '*/5 * * * *', maxAttempts: 1 },
  // Enqueued by the settings module when a school changes its time zone.
  'offer.moveRollups': ({ tenantId }: { tenantId: string }) => moveRollupsOf(tenantId),
  'offer.purgeRefusedSales': { run: () => purgeRefusedSales(), cron: '50 2 * * *', maxAttempts: 1 },
  'offer.sendPaymentConfirmation': sendPaymentConfirmation,
  'offer.endUnneededSubscriptions': endUnneededSubscriptions,
  'offer.endSubscriptionAtProvider': endSubscriptionAtProvider,
}
