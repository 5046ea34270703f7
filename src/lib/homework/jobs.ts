import type { JobList } from '#lib/core/jobs/jobs.ts'
import { releaseIdleLocks } from './review/lock.ts'
import { remindReviewers } from './review/review-digest.ts'
import { sendVerdictEmail } from './review/verdict-email.ts'
import { sweepDrafts } from './submission/draft-sweep.ts'
import { sendMessageEmail } from './submission/message-email.ts'
import { countOverdueTasks } from './submission/overdue.ts'
import { importCourse } from './task/import.ts'

export const homeworkJobs: JobList = {
  // The course module enqueues the import; this module writes its tasks.
  'course.import': { run: importCourse, concurrency: 1, stopsAtShutdown: true, maxAttempts: 3, timeoutHours: 6 },
  'homework.sendMessageEmail': sendMessageEmail,
  'homework.sweepDrafts': { run: () => sweepDrafts(), cron: '41 3 * * *' },
  'homework.sendVerdictEmail': sendVerdictEmail,
  'homework.releaseIdleLocks': { run: () => releaseIdleLocks(), cron: '*/5 * * * *' },
  'homework.countOverdueTasks': { run: () => countOverdueTasks(), cron: '12 * * * *' },
  'homework.remindReviewers': { run: () => remindReviewers(), cron: '7 * * * *' },
}
