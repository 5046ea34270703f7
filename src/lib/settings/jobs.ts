import type { JobList } from '#lib/core/jobs/jobs.ts'
import { checkDueDomains } from './domain.ts'

export const settingsJobs: JobList = {
  'settings.checkDomains': { run: () => checkDueDomains(), cron: '*/10 * * * *', maxAttempts: 1 },
}
