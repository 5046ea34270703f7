import { eq } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { workshop, workshopSession } from '#lib/workshop/table.ts'

/** Reads a session and locks its event log until the end of the transaction. */
export async function lockSession(tx: Tx, { sessionId }: { sessionId: string }) {
  const [row] = await tx.select().from(workshopSession).where(eq(workshopSession.id, sessionId)).for('no key update')
  if (!row) throw new Refusal('not_found')
  return row
}

/** Settings of a session's event. */
export async function readEventSettings(tx: Tx, workshopId: string) {
  const { settings, slidesFileId, type } = workshop
  const [row] = await tx.select({ settings, slidesFileId, type }).from(workshop).where(eq(workshop.id, workshopId))
  if (!row) throw new Refusal('not_found')
  return row
}
