import type { JobList } from '#lib/core/jobs/jobs.ts'
import { countAllSessions } from './count-all.ts'

export const statisticsJobs: JobList = {
  // It runs again a minute later anyway.
  'statistics.roll': { run: () => countAllSessions(), cron: '* * * * *', maxAttempts: 1 },
}
