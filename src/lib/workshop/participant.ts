import { and, eq, isNotNull } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import type { ParticipantKind, RoomRole } from '#lib/core/shared/live-event.ts'
import type { Locale } from '#lib/core/shared/locale.ts'
import { workshopParticipant } from './event-table.ts'

export interface NewParticipant {
  tenantId: string
  sessionId: string
  workshopId: string
  kind: ParticipantKind
  role: RoomRole
  memberId: string | null
  registrationId: string | null
  name: string
  email: string | null
  locale: Locale
  timeZone: string
  /** Digest of the browser's cookie. */
  device: string
}

/**
 * Somebody's row in a session: the one they have, by account, by registration or, for guests, by device, brought up to
 * date; else a new one. Whoever calls holds a lock of the session, so that a guest who comes twice at once has one row.
 */
export async function seatParticipant(tx: Tx, person: NewParticipant): Promise<string> {
  const known = await findParticipant(tx, person)
  const { role, name, email, locale, timeZone, device, registrationId } = person
  if (known) {
    const set = { role, name, email, locale, timeZone, device, ...(registrationId && { registrationId }) }
    await tx.update(workshopParticipant).set(set).where(eq(workshopParticipant.id, known))
    return known
  }
  const id = newId()
  await tx.insert(workshopParticipant).values({ ...person, id })
  return id
}

/** The row that somebody has in a session, or null. */
export async function findParticipant(
  tx: Tx,
  {
    sessionId,
    memberId,
    registrationId,
    device,
  }: Pick<NewParticipant, 'sessionId' | 'memberId' | 'registrationId' | 'device'>,
): Promise<string | null> {
  const { id } = workshopParticipant
  const ways = [
    memberId && eq(workshopParticipant.memberId, memberId),
    registrationId && eq(workshopParticipant.registrationId, registrationId),
    !memberId && !registrationId && and(eq(workshopParticipant.device, device), eq(workshopParticipant.kind, 'guest')),
  ]
  for (const way of ways) {
    if (!way) continue
    const [found] = await tx
      .select({ id })
      .from(workshopParticipant)
      .where(and(eq(workshopParticipant.sessionId, sessionId), way))
    if (found) return found.id
  }
  return null
}

/** Whether somebody was shown the door of a session on this device. */
export async function isBannedDevice(tx: Tx, sessionId: string, device: string): Promise<boolean> {
  const found = await tx
    .select({ id: workshopParticipant.id })
    .from(workshopParticipant)
    .where(
      and(
        eq(workshopParticipant.sessionId, sessionId),
        eq(workshopParticipant.device, device),
        isNotNull(workshopParticipant.bannedAt),
      ),
    )
    .limit(1)
  return found.length > 0
}
