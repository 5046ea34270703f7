import type { JobList } from '#lib/core/jobs/jobs.ts'
import { readBusyCalendar, readDueCalendars } from './busy-calendar/read.ts'

export const mentoringJobs: JobList = {
  'mentoring.readCalendar': (data: { tenantId: string; memberId: string }) => readBusyCalendar(data),
  'mentoring.readCalendars': { run: () => readDueCalendars(), cron: '*/10 * * * *', maxAttempts: 1 },
}
