import type { JobList } from '#lib/core/jobs/jobs.ts'
import { runAutomations } from './run-automations.ts'

export const automationJobs: JobList = {
  'automation.run': { run: () => runAutomations(), cron: '*/5 * * * *', maxAttempts: 1 },
}
