import type { JobList } from '#lib/core/jobs/jobs.ts'
import { sweepTrash } from './trash-sweep.ts'

export const courseJobs: JobList = {
  'course.sweepTrash': { run: () => sweepTrash(), cron: '37 3 * * *' },
}
