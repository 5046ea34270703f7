import { and, eq } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { workshopEvent } from '#lib/workshop/session/event-table.ts'
import type { SeatRef } from './seat.ts'

/** Whether somebody was in the room of a session at any time, by its event log. */
export async function hasAttended(tx: Tx, { sessionId, personId }: SeatRef): Promise<boolean> {
  const { seq, type, actorId } = workshopEvent
  const isJoinEntry = and(eq(workshopEvent.sessionId, sessionId), eq(type, 'user.connect'), eq(actorId, personId))
  const joinEntries = await tx.select({ seq }).from(workshopEvent).where(isJoinEntry).limit(1)
  return joinEntries.length > 0
}
