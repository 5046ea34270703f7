import type { JobList } from '#lib/core/jobs/jobs.ts'
import { switchPlans } from './switch-plans.ts'

export const billingJobs: JobList = {
  'billing.switchPlans': { run: () => switchPlans(), cron: '* * * * *', maxAttempts: 1 },
}
