import type { JobList } from '#lib/core/jobs/jobs.ts'
import { sweepDrafts } from './draft-sweep.ts'
import { importCourse } from './import.ts'
import { releaseIdle } from './lock.ts'
import { tellMessages } from './message-letter.ts'
import { remindReviewers } from './review-digest.ts'
import { tellVerdict } from './verdict-letter.ts'

export const homeworkJobs: JobList = {
  // The course room asks for it; its tasks are ours to write.
  'course.import': { run: importCourse, atOnce: 1, leaves: true, tries: 3, hours: 6 },
  'homework.tellMessages': tellMessages,
  'homework.sweepDrafts': { run: () => sweepDrafts(), cron: '41 3 * * *' },
  'homework.tellVerdict': tellVerdict,
  'homework.releaseIdle': { run: () => releaseIdle(), cron: '*/5 * * * *' },
  'homework.remindReviewers': { run: () => remindReviewers(), cron: '7 * * * *' },
}
