import type { Tx } from '#lib/core/db/db.ts'
import { enqueueJob } from '#lib/core/jobs/jobs.ts'
import type { EventRow } from '../event.ts'
import { dueOf, LADDER } from './rules.ts'

/**
 * Puts the letters of the ladder that are still ahead into the queue, each once for an event's session and schedule,
 * however often this is called. In the surrounding transaction.
 */
export async function planLetters(_tx: Tx, event: EventRow, now: Date): Promise<void> {
  if (!event.published || event.canceled || event.type === 'masterclass') return
  const { tenantId, id: workshopId, sessionId, scheduleVersion: version } = event
  for (const kind of LADDER) {
    const due = dueOf(kind, event)
    if (!due || due.from <= now) continue
    const options = { startAfter: due.from, singletonKey: `${sessionId ?? workshopId}/${kind}/${version}` }
    await enqueueJob('registration.remind', { tenantId, workshopId, sessionId, kind, version }, options)
  }
}
