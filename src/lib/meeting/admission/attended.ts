import { and, eq } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { workshopEvent } from '#lib/workshop/session/event-table.ts'
import type { SeatRef } from './seat.ts'

/** Whether the participant has been in the room at any time, by the event log. */
export async function hasAttended(tx: Tx, { sessionId, personId }: SeatRef): Promise<boolean> {
  const { seq, type, actorId } = workshopEvent
  const isJoinEntry = and(eq(workshopEvent.sessionId, sessionId), eq(type, 'user.connect'), eq(actorId, personId))
  const joinEntries = await tx.select({ seq }).from(workshopEvent).where(isJoinEntry).limit(1)
  return joinEntries.length > 0
}
