import type { JobList } from '#lib/core/jobs/jobs.ts'
import { thinRevisions } from './lesson/revision-sweep.ts'
import { sweepTrash } from './outline/trash-sweep.ts'

export const courseJobs: JobList = {
  'course.thinRevisions': { run: () => thinRevisions(), cron: '52 3 * * *' },
  'course.sweepTrash': { run: () => sweepTrash(), cron: '37 3 * * *' },
}
