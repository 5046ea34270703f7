import { expel } from '#lib/core/broadcast/broadcast.ts'
import type { Expulsion } from '#lib/core/broadcast/expelled.ts'
import { afterCommit } from '#lib/core/db/db.ts'
import { log } from '#lib/core/log.ts'

/** Ends what people send and play in a session, or the part that is named, after the commit. Fails nobody's act. */
export function oust(sessionId: string, people: readonly string[], part: Expulsion = {}): void {
  afterCommit(() => {
    for (const personId of people) {
      void expel(sessionId, personId, part).catch((err: unknown) => log.error({ err, sessionId, personId }, 'expel'))
    }
  })
}
