import type { JobList } from '#lib/core/jobs/jobs.ts'
import { announceCourseDate, type CourseDateJob } from './course-date/announce.ts'

export const scheduleJobs: JobList = {
  'schedule.announceDate': (job: CourseDateJob) => announceCourseDate(job),
}
