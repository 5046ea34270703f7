import type { JobList } from '#lib/core/jobs/jobs.ts'
import { computeItemAnalysis } from './analysis/compute-item-analysis.ts'
import { sweepDeadlines } from './attempt/deadline-sweep.ts'
import { checkTests } from './progress/update-progress.ts'
import { runRegrade } from './regrade/run-regrade.ts'
import { sendResultEmail } from './review/result-email.ts'
import { runQuestionImport } from './transfer/import-job/run-import.ts'

export const quizJobs: JobList = {
  // The course module enqueues this job too; the results of tests are known in this module only.
  'course.checkTests': { run: checkTests, stopsAtShutdown: true },
  'quiz.analyse': { run: computeItemAnalysis, concurrency: 1 },
  'quiz.importQuestions': { run: runQuestionImport, concurrency: 1, stopsAtShutdown: true, maxAttempts: 3 },
  'quiz.regrade': { run: runRegrade, concurrency: 1, stopsAtShutdown: true, maxAttempts: 5 },
  'quiz.sendResultEmail': sendResultEmail,
  'quiz.sweepDeadlines': { run: () => sweepDeadlines(), cron: '* * * * *' },
}
