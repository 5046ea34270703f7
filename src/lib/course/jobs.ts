import type { JobList } from '#lib/core/jobs/jobs.ts'
import { thinRevisions } from './lesson/revision-sweep.ts'
import { sweepCourseTrash } from './outline/trash-sweep.ts'

export const courseJobs: JobList = {
  'course.thinRevisions': { run: () => thinRevisions(), cron: '52 3 * * *' },
  'course.sweepTrash': { run: () => sweepCourseTrash(), cron: '37 3 * * *' },
}
