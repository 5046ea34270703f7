import type { JobList } from '#lib/core/jobs/jobs.ts'
import { countAllSessions } from './count-all.ts'

export const statisticsJobs: JobList = {
  // A failed run is repeated a minute later.
  'statistics.roll': { run: () => countAllSessions(), cron: '* * * * *', maxAttempts: 1 },
}
