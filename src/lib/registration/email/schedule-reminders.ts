import type { Tx } from '#lib/core/db/db.ts'
import { enqueueJob } from '#lib/core/jobs/jobs.ts'
import { dropPlannedMessages } from '#lib/outbox/create.ts'
import type { RegistrationEvent } from '../event.ts'
import { messageIdOf, planEventMessage } from './message.ts'
import { findSendWindow, REMINDER_KINDS } from './rules.ts'

/**
 * Enqueues the future reminders of an event, each once per session and schedule; idempotent. In the surrounding
 * transaction.
 */
export async function scheduleReminders(tx: Tx, event: RegistrationEvent, now: Date): Promise<void> {
  if (!event.isPublished || event.isCanceled || event.type === 'masterclass') return
  const { tenantId, id: workshopId, sessionId, scheduleVersion: version } = event
  const versions = Array.from({ length: Math.min(version - 1, 10) }, (_, index) => version - 1 - index)
  const outdated = versions.flatMap((scheduleVersion) =>
    REMINDER_KINDS.map((kind) => messageIdOf({ id: workshopId, sessionId, scheduleVersion }, kind)),
  )
  if (outdated.length > 0) await dropPlannedMessages(tx, workshopId, outdated)
  for (const kind of REMINDER_KINDS) {
    const sendWindow = findSendWindow(kind, event)
    if (!sendWindow || sendWindow.sendAt <= now) continue
    const options = { startAfter: sendWindow.sendAt, singletonKey: `${sessionId ?? workshopId}/${kind}/${version}` }
    await planEventMessage(tx, event, kind, sendWindow.sendAt)
    await enqueueJob('registration.remind', { tenantId, workshopId, sessionId, kind, version }, options)
  }
}
