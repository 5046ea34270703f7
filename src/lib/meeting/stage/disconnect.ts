import { eq } from 'drizzle-orm'
import { closeRoom, disconnectParticipant } from '#lib/core/broadcast/broadcast.ts'
import type { DisconnectScope } from '#lib/core/broadcast/revocation-list.ts'
import { afterCommit, inTenant } from '#lib/core/db/db.ts'
import { log } from '#lib/core/log.ts'
import { workshopSession } from '#lib/workshop/table.ts'
import { scheduleOnce } from '../delayed.ts'
import type { EventSessionRef } from '../publish-events.ts'

/** Ends what people send and play in a session, or the part that is named, after the commit. Fails nobody's act. */
export function disconnectParticipants(
  sessionId: string,
  people: readonly string[],
  options: DisconnectScope = {},
): void {
  afterCommit(() => {
    for (const personId of people) {
      void disconnectParticipant(sessionId, personId, options).catch((err: unknown) =>
        log.error({ err, sessionId, personId }, 'expel'),
      )
    }
  })
}

/** Ms in which browsers stop by themselves when they hear of the end; one that was cut off first would report a failure. */
const CLIENT_STOP_MS = 1500

/**
 * Ends all streams of a session that is over, also of clients that know nothing of the end (encoders, players of their
 * own), a moment after the commit. A rehearsal that was begun again meanwhile goes on.
 */
export function endSessionStreams({ tenantId, sessionId }: EventSessionRef): void {
  afterCommit(() =>
    scheduleOnce(`end streams ${sessionId}`, CLIENT_STOP_MS, async () => {
      const { state } = workshopSession
      const [session] = await inTenant({ tenantId }, (tx) =>
        tx.select({ state }).from(workshopSession).where(eq(workshopSession.id, sessionId)),
      )
      if (session?.state.phase === 'finished') await closeRoom(sessionId)
    }),
  )
}
