import { inTenant } from '#lib/core/db/db.ts'
import type { JobList } from '#lib/core/jobs/jobs.ts'
import { noteFinished } from './attendance.ts'
import { type Rescheduled, tellCanceled, tellPublished, tellRescheduled } from './email/announcements.ts'
import { type Reminding, remind } from './email/remind.ts'
import { sweepLetters } from './email/sweep.ts'

type OfEvent = { tenantId: string; workshopId: string }

export const registrationJobs: JobList = {
  'registration.remind': (data: Reminding) => remind(data),
  'registration.sweep': { run: () => sweepLetters(), cron: '*/5 * * * *' },
  // The workshop room asks for these.
  'registration.published': (data: OfEvent) => tellPublished(data),
  'registration.rescheduled': (data: Rescheduled) => tellRescheduled(data),
  'registration.canceled': (data: OfEvent & { notify: boolean }) => tellCanceled(data),
  // The auto-webinar room asks for it at the end of a showing.
  'registration.finished': (data: OfEvent & { sessionId: string }) => inTenant(data, (tx) => noteFinished(tx, data)),
}
