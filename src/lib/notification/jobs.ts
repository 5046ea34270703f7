import type { JobList } from '#lib/core/jobs/jobs.ts'
import { deliverDue, deliverTo } from './delivery/deliver.ts'
import { purgeNotifications } from './purge.ts'
import { readTelegramUpdates } from './telegram/updates.ts'

export const notificationJobs: JobList = {
  // What it leaves is delivered by `notification.deliverDue`.
  'notification.deliver': { run: (job) => deliverTo(job), maxAttempts: 1 },
  'notification.deliverDue': { run: () => deliverDue(), cron: '* * * * *', maxAttempts: 1 },
  'notification.telegram': {
    run: (_, { signal }) => readTelegramUpdates(signal),
    cron: '* * * * *',
    maxAttempts: 1,
    stopsAtShutdown: true,
  },
  'notification.purge': { run: () => purgeNotifications(), cron: '25 2 * * *', maxAttempts: 1 },
}
