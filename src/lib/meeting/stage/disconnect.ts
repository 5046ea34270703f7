import { eq } from 'drizzle-orm'
import { closeRoom, disconnectParticipant } from '#lib/core/broadcast/broadcast.ts'
import type { DisconnectScope } from '#lib/core/broadcast/revocation-list.ts'
import { afterCommit, inTenant } from '#lib/core/db/db.ts'
import { log } from '#lib/core/log.ts'
import { workshopSession } from '#lib/workshop/table.ts'
import { scheduleOnce } from '../delayed.ts'
import type { EventSessionRef } from '../publish-events.ts'

/** Disconnects participants' media streams in a session, or the named part, after the commit. Failures are logged. */
export function disconnectParticipants(
  sessionId: string,
  people: readonly string[],
  options: DisconnectScope = {},
): void {
  afterCommit(() => {
    for (const personId of people) {
      void disconnectParticipant(sessionId, personId, options).catch((err: unknown) =>
        log.error({ err, sessionId, personId }, 'a participant could not be disconnected'),
      )
    }
  })
}

/**
 * Browsers stop by themselves within this time after the end of the event; a stream cut earlier would be reported as a
 * failure.
 */
const CLIENT_STOP_MS = 1500

/**
 * Ends all media streams of a finished session a moment after the commit, also of clients that do not follow its events
 * (encoders, players). A rehearsal that was restarted meanwhile continues.
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
