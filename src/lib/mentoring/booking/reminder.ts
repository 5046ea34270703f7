import { enqueueJob } from '#lib/core/jobs/jobs.ts'
import { HOUR_MS } from '#lib/core/shared/time.ts'
import type { AnnouncedSession } from './calendar-entry.ts'

/** How many hours before its start the people of a session are reminded of it. */
const REMINDER_HOURS = [24, 1] as const

export interface SessionReminderJob {
  tenantId: string
  bookingId: string
  /** The start for which it was planned, as an ISO instant: a session that has moved since has other reminders. */
  startAt: string
  hours: number
}

/** Plans the reminders of a confirmed session in the surrounding transaction; those whose time has passed are omitted. */
export async function planReminders(
  bookingId: string,
  { tenantId, state, startAt }: Pick<AnnouncedSession, 'tenantId' | 'state' | 'startAt'>,
  now: Date,
): Promise<void> {
  if (state !== 'confirmed') return
  for (const hours of REMINDER_HOURS) {
    const remindAt = new Date(startAt.getTime() - hours * HOUR_MS)
    if (remindAt <= now) continue
    const job: SessionReminderJob = { tenantId, bookingId, startAt: startAt.toISOString(), hours }
    await enqueueJob('mentoring.remind', { ...job }, { startAfter: remindAt })
  }
}
