import { and, count, eq, isNotNull, isNull } from 'drizzle-orm'
import { requireWithinLimit } from '#lib/billing/billing.ts'
import type { Tx } from '#lib/core/db/db.ts'
import { lockUntilCommit } from '#lib/core/db/locks.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { workshop, workshopSession } from './table.ts'

/**
 * Requires a free slot for one more live event; called in the transaction that starts the session. Refuses with
 * unprocessable when the plan's limit is reached.
 */
export async function requireConferenceLimit(
  tx: Tx,
  actor: Pick<Actor, 'tenantId' | 'plans' | 'addOns'>,
): Promise<void> {
  // The lock keeps two simultaneous starts within the limit.
  await lockUntilCommit(tx, 'conferences', actor.tenantId)
  requireWithinLimit(actor, 'conference_count', await countLiveEvents(tx))
}

/** The number of events of the transaction's tenant that are live now, without rooms of mentoring. */
export async function countLiveEvents(tx: Tx): Promise<number> {
  const [row] = await tx
    .select({ live: count() })
    .from(workshopSession)
    .innerJoin(
      workshop,
      and(eq(workshop.tenantId, workshopSession.tenantId), eq(workshop.id, workshopSession.workshopId)),
    )
    .where(
      and(
        isNull(workshop.deletedAt),
        eq(workshopSession.kind, 'live'),
        isNotNull(workshopSession.startedAt),
        isNull(workshopSession.finishedAt),
        isNull(workshopSession.canceledAt),
      ),
    )
  return row?.live ?? 0
}
