import type { JobList } from '#lib/core/jobs/jobs.ts'
import { sweepDeadlines } from './attempt/deadline-sweep.ts'

export const quizJobs: JobList = {
  'quiz.sweepDeadlines': { run: () => sweepDeadlines(), cron: '* * * * *' },
}
