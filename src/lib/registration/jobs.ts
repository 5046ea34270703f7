import { inTenant } from '#lib/core/db/db.ts'
import type { JobList } from '#lib/core/jobs/jobs.ts'
import { scheduleFollowUpEmails } from './attendance.ts'
import { announceCanceled, announcePublished, announceRescheduled, type Rescheduled } from './email/announcements.ts'
import { sendDueEmails } from './email/due-emails.ts'
import { notifyBatch } from './email/notify-members.ts'
import { type ReminderJob, sendReminders } from './email/reminders.ts'

type EventRef = { tenantId: string; workshopId: string }

export const registrationJobs: JobList = {
  'registration.remind': (data: ReminderJob) => sendReminders(data),
  'registration.notify': (data: Parameters<typeof notifyBatch>[0]) => notifyBatch(data),
  'registration.sweep': { run: () => sendDueEmails(), cron: '*/5 * * * *' },
  // Enqueued by the workshop module.
  'registration.published': (data: EventRef) => announcePublished(data),
  'registration.rescheduled': (data: Rescheduled) => announceRescheduled(data),
  'registration.canceled': (data: EventRef & { notify: boolean }) => announceCanceled(data),
  // Enqueued by the auto-webinar module at the end of a session.
  'registration.finished': (data: EventRef & { sessionId: string }) =>
    inTenant(data, (tx) => scheduleFollowUpEmails(tx, data)),
}
