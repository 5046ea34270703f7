import type { Tx } from '#lib/core/db/db.ts'
import { enqueueJob } from '#lib/core/jobs/jobs.ts'
import type { RegistrationEvent } from '../event.ts'
import { findSendWindow, REMINDER_KINDS } from './rules.ts'

/**
 * Enqueues the future reminders of an event, each once per session and schedule; idempotent. In the surrounding
 * transaction.
 */
export async function scheduleReminders(_tx: Tx, event: RegistrationEvent, now: Date): Promise<void> {
  if (!event.isPublished || event.isCanceled || event.type === 'masterclass') return
  const { tenantId, id: workshopId, sessionId, scheduleVersion: version } = event
  for (const kind of REMINDER_KINDS) {
    const sendWindow = findSendWindow(kind, event)
    if (!sendWindow || sendWindow.sendAt <= now) continue
    const options = { startAfter: sendWindow.sendAt, singletonKey: `${sessionId ?? workshopId}/${kind}/${version}` }
    await enqueueJob('registration.remind', { tenantId, workshopId, sessionId, kind, version }, options)
  }
}
