import type { JobList } from '#lib/core/jobs/jobs.ts'
import { refreshStaleProgress } from './list/refresh-progress.ts'

export const studentJobs: JobList = {
  'student.refreshProgress': { run: () => refreshStaleProgress(), cron: '* * * * *' },
}
