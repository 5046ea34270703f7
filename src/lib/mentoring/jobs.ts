import type { JobList } from '#lib/core/jobs/jobs.ts'
import { remindOfSession } from './booking/remind.ts'
import type { SessionReminderJob } from './booking/reminder.ts'
import { readBusyCalendar, readDueCalendars } from './busy-calendar/read.ts'

export const mentoringJobs: JobList = {
  'mentoring.remind': (job: SessionReminderJob) => remindOfSession(job),
  'mentoring.readCalendar': (data: { tenantId: string; memberId: string }) => readBusyCalendar(data),
  'mentoring.readCalendars': { run: () => readDueCalendars(), cron: '*/10 * * * *', maxAttempts: 1 },
}
