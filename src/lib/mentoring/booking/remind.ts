import { inTenant } from '#lib/core/db/db.ts'
import { notify } from '#lib/notification/notify.ts'
import { composeSessionEmail, findAnnouncedSession, sessionPath } from './announce.ts'
import type { SessionReminderJob } from './reminder.ts'

/**
 * Reminds the student and the mentor of a confirmed session that still has the time for which the reminder was planned.
 * The first reminder is a notification by all channels, the last one only a push or Telegram message. The mentor of a
 * group is reminded once. Idempotent.
 */
export function remindOfSession(
  { tenantId, bookingId, startAt, hours }: SessionReminderJob,
  now = new Date(),
): Promise<void> {
  return inTenant({ tenantId }, async (tx) => {
    const session = await findAnnouncedSession(tx, bookingId)
    if (session?.state !== 'confirmed' || session.startAt.toISOString() !== startAt || session.startAt <= now) return
    const { sessionId, student, mentor, title } = session
    for (const person of [student, mentor]) {
      const email = composeSessionEmail(session, { bookingId, person, change: 'reminder' })
      const added = {
        kind: 'session_reminder',
        memberIds: [person.id],
        key: `mentoring/reminder/${hours}/${sessionId}/${session.startAt.getTime()}`,
        data: { subject: title, context: person === student ? mentor.name : student.name, at: startAt },
        link: sessionPath(bookingId),
        expiresAt: session.startAt,
        email: () => email,
      } as const
      await notify(tx, hours > 1 ? added : { ...added, channels: ['push', 'telegram'] }, now)
    }
  })
}
