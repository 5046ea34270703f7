import type { JobList } from '#lib/core/jobs/jobs.ts'
import { purgeNotifications } from './purge.ts'

export const notificationJobs: JobList = {
  'notification.purge': { run: () => purgeNotifications(), cron: '25 2 * * *', maxAttempts: 1 },
}
