import { eq } from 'drizzle-orm'
import { clearRoom, expel } from '#lib/core/broadcast/broadcast.ts'
import type { Expulsion } from '#lib/core/broadcast/expelled.ts'
import { afterCommit, inTenant } from '#lib/core/db/db.ts'
import { log } from '#lib/core/log.ts'
import { workshopSession } from '#lib/workshop/table.ts'
import { soon } from '../delayed.ts'
import type { SessionOf } from '../publish-events.ts'

/** Ends what people send and play in a session, or the part that is named, after the commit. Fails nobody's act. */
export function oust(sessionId: string, people: readonly string[], part: Expulsion = {}): void {
  afterCommit(() => {
    for (const personId of people) {
      void expel(sessionId, personId, part).catch((err: unknown) => log.error({ err, sessionId, personId }, 'expel'))
    }
  })
}

/** Ms in which browsers stop by themselves when they hear of the end; one that was cut off first would report a failure. */
const STOP_MS = 1500

/**
 * Ends all streams of a session that is over, also of clients that know nothing of the end (encoders, players of their
 * own), a moment after the commit. A rehearsal that was begun again meanwhile goes on.
 */
export function endStreams({ tenantId, sessionId }: SessionOf): void {
  afterCommit(() =>
    soon(`end streams ${sessionId}`, STOP_MS, async () => {
      const { state } = workshopSession
      const [session] = await inTenant({ tenantId }, (tx) =>
        tx.select({ state }).from(workshopSession).where(eq(workshopSession.id, sessionId)),
      )
      if (session?.state.phase === 'finished') await clearRoom(sessionId)
    }),
  )
}
