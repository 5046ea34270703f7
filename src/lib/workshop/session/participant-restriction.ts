import { and, eq, inArray, isNotNull, isNull, or } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { endStreamsOfUser, publish } from '#lib/core/live/live.ts'
import type { RoomRole } from '#lib/core/shared/event/live-event.ts'
import { workshopSession } from '../table.ts'
import { workshopParticipant } from './event-table.ts'

/** Restrictions of a participant; null lifts one. */
export interface Restriction {
  mutedUntil?: Date | null
  isolatedAt?: Date | null
  bannedAt?: Date | null
}

/** Sets restrictions of participants, in the transaction of the event. */
export async function restrictParticipants(
  tx: Tx,
  sessionId: string,
  ids: readonly string[],
  restriction: Restriction,
): Promise<void> {
  if (ids.length === 0) return
  await tx
    .update(workshopParticipant)
    .set(restriction)
    .where(and(eq(workshopParticipant.sessionId, sessionId), inArray(workshopParticipant.id, [...ids])))
}

/** Participants of a session who are identified as the same person: by account, email address or device. */
export async function findSamePerson(tx: Tx, sessionId: string, id: string): Promise<string[]> {
  const { memberId, email, device } = workshopParticipant
  const [participant] = await tx
    .select({ memberId, email, device })
    .from(workshopParticipant)
    .where(and(eq(workshopParticipant.sessionId, sessionId), eq(workshopParticipant.id, id)))
  if (!participant) return []
  const rows = await tx
    .select({ id: workshopParticipant.id })
    .from(workshopParticipant)
    .where(
      and(
        eq(workshopParticipant.sessionId, sessionId),
        eq(workshopParticipant.role, 'viewer'),
        or(
          eq(workshopParticipant.id, id),
          participant.memberId ? eq(memberId, participant.memberId) : undefined,
          participant.email ? eq(email, participant.email) : undefined,
          participant.device ? and(isNotNull(device), eq(device, participant.device)) : undefined,
        ),
      ),
    )
  return rows.map((row) => row.id)
}

/** Updates the room role of staff in unfinished sessions to their current event role. */
export async function syncStaffRoles(
  tx: Tx,
  workshopId: string,
  roleOf: (memberId: string) => RoomRole,
): Promise<void> {
  const { id, memberId, role } = workshopParticipant
  const staff = await tx
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
  for (const participant of staff) {
    const newRole = participant.memberId ? roleOf(participant.memberId) : 'viewer'
    if (newRole === participant.role) continue
    await tx.update(workshopParticipant).set({ role: newRole }).where(eq(id, participant.id))
    await publish(`meeting-person:${participant.id}`, { role: newRole })
    // The open event stream has the channels of the previous role.
    await endStreamsOfUser(participant.id)
  }
}
