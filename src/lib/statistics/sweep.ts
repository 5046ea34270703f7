import { eq, gt, sql } from 'drizzle-orm'
import { inSystem, inTenant } from '#lib/core/db/db.ts'
import { tenant } from '#lib/tenant/table.ts'
import { workshopSession } from '#lib/workshop/table.ts'
import { rollSession } from './roll.ts'
import { sessionRoll } from './table.ts'

/** Counts what is new in the logs of all schools, so that no page has much left to count. */
export async function rollAll(): Promise<void> {
  const schools = await inSystem((tx) => tx.select({ tenantId: tenant.id }).from(tenant))
  for (const { tenantId } of schools) {
    const behind = await inTenant({ tenantId }, (tx) =>
      tx
        .select({ id: workshopSession.id })
        .from(workshopSession)
        .leftJoin(sessionRoll, eq(sessionRoll.sessionId, workshopSession.id))
        .where(gt(workshopSession.nextSeq, sql`coalesce(${sessionRoll.rolledSeq}, 0) + 1`)),
    )
    for (const { id } of behind) await rollSession({ tenantId, id })
  }
}
