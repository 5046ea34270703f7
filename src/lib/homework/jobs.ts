import type { JobList } from '#lib/core/jobs/jobs.ts'
import { releaseIdle } from './review/lock.ts'
import { remindReviewers } from './review/review-digest.ts'
import { tellVerdict } from './review/verdict-email.ts'
import { sweepDrafts } from './submission/draft-sweep.ts'
import { tellMessages } from './submission/message-email.ts'
import { importCourse } from './task/import.ts'

export const homeworkJobs: JobList = {
  // The course room asks for it; its tasks are ours to write.
  'course.import': { run: importCourse, concurrency: 1, stopsAtShutdown: true, maxAttempts: 3, timeoutHours: 6 },
  'homework.tellMessages': tellMessages,
  'homework.sweepDrafts': { run: () => sweepDrafts(), cron: '41 3 * * *' },
  'homework.tellVerdict': tellVerdict,
  'homework.releaseIdle': { run: () => releaseIdle(), cron: '*/5 * * * *' },
  'homework.remindReviewers': { run: () => remindReviewers(), cron: '7 * * * *' },
}
