import { autowebinarJobs } from '#lib/autowebinar/jobs.ts'
import type { JobList } from '#lib/core/jobs/jobs.ts'
import { liveJobs } from '#lib/core/live/jobs.ts'
import { mailJobs } from '#lib/core/mail/jobs.ts'
import { courseJobs } from '#lib/course/jobs.ts'
import { homeworkJobs } from '#lib/homework/jobs.ts'
import { meetingJobs } from '#lib/meeting/jobs.ts'
import { registrationJobs } from '#lib/registration/jobs.ts'
import { statisticsJobs } from '#lib/statistics/jobs.ts'
import { storageJobs } from '#lib/storage/jobs.ts'
import { userJobs } from '#lib/user/jobs.ts'

/** The jobs of all rooms. */
export const jobs: JobList = {
  ...mailJobs,
  ...liveJobs,
  ...userJobs,
  ...storageJobs,
  ...courseJobs,
  ...homeworkJobs,
  ...autowebinarJobs,
  ...registrationJobs,
  ...meetingJobs,
  ...statisticsJobs,
}
