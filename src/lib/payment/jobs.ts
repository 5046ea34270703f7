import type { JobList } from '#lib/core/jobs/jobs.ts'
import { removeOldCallbacks } from './callback-retention.ts'
import type { PaymentPurposes } from './payment.ts'
import { pollStuckPayments } from './poll.ts'

/** The jobs of the module; `purposes` are those of the modules that sell something. */
export const paymentJobs = (purposes: PaymentPurposes): JobList => ({
  'payment.pollStuck': { run: () => pollStuckPayments(purposes), cron: '*/5 * * * *', maxAttempts: 1 },
  'payment.removeOldCallbacks': { run: () => removeOldCallbacks(), cron: '17 3 * * *', maxAttempts: 1 },
})
