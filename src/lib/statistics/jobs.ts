import type { JobList } from '#lib/core/jobs/jobs.ts'
import { rollAll } from './sweep.ts'

export const statisticsJobs: JobList = {
  // It comes again in a minute anyway.
  'statistics.roll': { run: () => rollAll(), cron: '* * * * *', tries: 1 },
}
