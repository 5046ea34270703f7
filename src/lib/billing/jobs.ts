import type { JobList } from '#lib/core/jobs/jobs.ts'
import { endSavedCard } from './account.ts'
import { chargePlans } from './charge-plans.ts'
import { sendBillingNotices } from './notices.ts'
import { switchPlans } from './switch-plans.ts'
import type { UsageCounters } from './usage.ts'

/** The jobs of the module; `counters` count what the modules above have. */
export const billingJobs = (counters: UsageCounters): JobList => ({
  'billing.switchPlans': { run: () => switchPlans(), cron: '* * * * *', maxAttempts: 1 },
  'billing.chargePlans': { run: () => chargePlans(), cron: '*/10 * * * *', maxAttempts: 1 },
  'billing.endSavedCard': endSavedCard,
  'billing.sendNotices': { run: () => sendBillingNotices(counters), cron: '20 * * * *', maxAttempts: 1 },
})
