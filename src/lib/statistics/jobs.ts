import type { JobList } from '#lib/core/jobs/jobs.ts'
import { rollAll } from './sweep.ts'

export const statisticsJobs: JobList = {
  'statistics.roll': { run: () => rollAll(), cron: '* * * * *' },
}
