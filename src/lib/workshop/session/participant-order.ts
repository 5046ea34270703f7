import { and, eq, inArray, isNotNull, isNull, or } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { cutStreams, publish } from '#lib/core/live/live.ts'
import type { RoomRole } from '#lib/core/shared/event/live-event.ts'
import { workshopSession } from '../table.ts'
import { workshopParticipant } from './event-table.ts'

/** What keeps somebody of a session quiet or out; null lifts it. */
export interface Order {
  mutedUntil?: Date | null
  isolatedAt?: Date | null
  bannedAt?: Date | null
}

/** Lays an order on people of a session, in the transaction of its event. */
export async function orderParticipants(
  tx: Tx,
  sessionId: string,
  ids: readonly string[],
  order: Order,
): Promise<void> {
  if (ids.length === 0) return
  await tx
    .update(workshopParticipant)
    .set(order)
    .where(and(eq(workshopParticipant.sessionId, sessionId), inArray(workshopParticipant.id, [...ids])))
}

/** Everybody of a session who is the same person as far as can be told: by account, by address, or by device. */
export async function sameParticipants(tx: Tx, sessionId: string, id: string): Promise<string[]> {
  const { memberId, email, device } = workshopParticipant
  const [one] = await tx
    .select({ memberId, email, device })
    .from(workshopParticipant)
    .where(and(eq(workshopParticipant.sessionId, sessionId), eq(workshopParticipant.id, id)))
  if (!one) return []
  const rows = await tx
    .select({ id: workshopParticipant.id })
    .from(workshopParticipant)
    .where(
      and(
        eq(workshopParticipant.sessionId, sessionId),
        eq(workshopParticipant.role, 'viewer'),
        or(
          eq(workshopParticipant.id, id),
          one.memberId ? eq(memberId, one.memberId) : undefined,
          one.email ? eq(email, one.email) : undefined,
          one.device ? and(isNotNull(device), eq(device, one.device)) : undefined,
        ),
      ),
    )
  return rows.map((row) => row.id)
}

/** Gives those of the team who are in a session that is not over the role that they have at its event by now. */
export async function followRoles(tx: Tx, workshopId: string, roleOf: (memberId: string) => RoomRole): Promise<void> {
  const { id, memberId, role } = workshopParticipant
  const here = await tx
    .select({ id, memberId, role })
    .from(workshopParticipant)
    .innerJoin(workshopSession, eq(workshopSession.id, workshopParticipant.sessionId))
    .where(
      and(
        eq(workshopSession.workshopId, workshopId),
        eq(workshopParticipant.kind, 'staff'),
        isNull(workshopSession.finishedAt),
      ),
    )
  for (const one of here) {
    const now = one.memberId ? roleOf(one.memberId) : 'viewer'
    if (now === one.role) continue
    await tx.update(workshopParticipant).set({ role: now }).where(eq(id, one.id))
    await publish(`meeting-person:${one.id}`, { role: now })
    // The stream that is open hears by the role of before.
    await cutStreams(one.id)
  }
}
