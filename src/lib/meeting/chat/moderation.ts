import { and, eq } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { endStreamsOfUser } from '#lib/core/live/live.ts'
import type { RoomRole } from '#lib/core/shared/event/live-event.ts'
import { MINUTE_MS } from '#lib/core/shared/time.ts'
import { workshopParticipant } from '#lib/workshop/session/event-table.ts'
import { findSamePerson, restrictParticipants } from '#lib/workshop/session/participant-restriction.ts'
import type { RoomParticipant } from '../admission/seat.ts'
import { appendAndPublish } from '../publish-events.ts'
import { disconnectParticipants } from '../stage/disconnect.ts'
import { lockEventLog } from './actions.ts'
import { canRestrict } from './rules.ts'
import type { BanPerson, IsolatePerson, MutePerson } from './schema.ts'
import { requireChatAction } from './send-message.ts'

/** Mutes a participant for a number of minutes; 0 unmutes. Refuses with forbidden, not_found. */
export async function mutePerson(input: MutePerson, now = new Date()): Promise<void> {
  const { seatToken, personId, minutes } = input
  const moderator = await requireChatAction(seatToken, 'mute')
  const mutedUntil = minutes === 0 ? null : new Date(now.getTime() + minutes * MINUTE_MS)
  await changeRestriction(moderator, personId, async (tx) => {
    await restrictParticipants(tx, moderator.sessionId, [personId], { mutedUntil })
    const payload = { personId, until: mutedUntil?.toISOString() ?? null }
    await appendAndPublish(tx, moderator, [
      { type: 'user.muted', actorId: moderator.personId, audience: 'person', personId, payload },
    ])
  })
}

/** Isolates a participant: their messages are shown to staff and themselves only. Refuses like mutePerson. */
export async function isolatePerson(input: IsolatePerson, now = new Date()): Promise<void> {
  const { seatToken, personId, on } = input
  const moderator = await requireChatAction(seatToken, 'isolate')
  await changeRestriction(moderator, personId, async (tx) => {
    await restrictParticipants(tx, moderator.sessionId, [personId], { isolatedAt: on ? now : null })
    // The isolated participant is not notified, so that they do not return under another name.
    await appendAndPublish(tx, moderator, [
      { type: 'user.isolated', actorId: moderator.personId, audience: 'staff', personId, payload: { personId, on } },
    ])
  })
}

/**
 * Bans a participant on every account and device of theirs in this session, or lifts the ban. Their event streams and
 * media streams end at once. Refuses like mutePerson.
 */
export async function banPerson(input: BanPerson, now = new Date()): Promise<void> {
  const { seatToken, personId, on, reason } = input
  const moderator = await requireChatAction(seatToken, 'ban')
  await changeRestriction(moderator, personId, async (tx) => {
    const ids = await findSamePerson(tx, moderator.sessionId, personId)
    await restrictParticipants(tx, moderator.sessionId, ids, { bannedAt: on ? now : null })
    await appendAndPublish(
      tx,
      moderator,
      ids.map((id) => ({
        type: 'user.banned',
        actorId: moderator.personId,
        audience: 'person',
        personId: id,
        payload: { personId: id, on, reason },
      })),
    )
    if (!on) return
    for (const id of ids) await endStreamsOfUser(id)
    disconnectParticipants(moderator.sessionId, ids)
  })
}

async function changeRestriction(
  moderator: RoomParticipant,
  personId: string,
  change: (tx: Tx) => Promise<void>,
): Promise<void> {
  await inTenant(moderator, async (tx) => {
    await lockEventLog(tx, moderator)
    const role = await readRole(tx, moderator.sessionId, personId)
    const { allow, reason } = canRestrict(moderator, { personId, role })
    if (!allow) throw new Refusal('forbidden', { data: { reason } })
    await change(tx)
  })
}

async function readRole(tx: Tx, sessionId: string, personId: string): Promise<RoomRole> {
  const [participant] = await tx
    .select({ role: workshopParticipant.role })
    .from(workshopParticipant)
    .where(and(eq(workshopParticipant.sessionId, sessionId), eq(workshopParticipant.id, personId)))
  if (!participant) throw new Refusal('not_found')
  return participant.role
}
