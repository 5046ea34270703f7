import type { JobList } from '#lib/core/jobs/jobs.ts'
import { releaseIdle } from './lock.ts'
import { remindReviewers } from './review-digest.ts'
import { tellVerdict } from './verdict-letter.ts'

export const homeworkJobs: JobList = {
  'homework.tellVerdict': tellVerdict,
  'homework.releaseIdle': { run: () => releaseIdle(), cron: '*/5 * * * *' },
  'homework.remindReviewers': { run: () => remindReviewers(), cron: '7 * * * *' },
}
