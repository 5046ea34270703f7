import { and, eq } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { endStreamsOfUser } from '#lib/core/live/live.ts'
import type { RoomRole } from '#lib/core/shared/event/live-event.ts'
import { workshopParticipant } from '#lib/workshop/session/event-table.ts'
import { findSamePerson, restrictParticipants } from '#lib/workshop/session/participant-restriction.ts'
import type { RoomParticipant } from '../admission/seat.ts'
import { appendAndPublish } from '../publish-events.ts'
import { disconnectParticipants } from '../stage/disconnect.ts'
import { lockEventLog } from './actions.ts'
import { canRestrict } from './rules.ts'
import { BanPerson, IsolatePerson, MutePerson } from './schema.ts'
import { requireChatAct } from './send-message.ts'

/** Lets somebody say nothing for so many minutes; 0 lets them speak again. Refuses with forbidden, not_found. */
export async function mutePerson(input: MutePerson, now = new Date()): Promise<void> {
  const { ticket, personId, minutes } = MutePerson.parse(input)
  const sitting = await requireChatAct(ticket, 'mute')
  const mutedUntil = minutes === 0 ? null : new Date(now.getTime() + minutes * 60_000)
  await changeRestriction(sitting, personId, async (tx) => {
    await restrictParticipants(tx, sitting.sessionId, [personId], { mutedUntil })
    const payload = { personId, until: mutedUntil?.toISOString() ?? null }
    await appendAndPublish(tx, sitting, [
      { type: 'user.muted', actorId: sitting.personId, audience: 'person', personId, payload },
    ])
  })
}

/** From now on somebody's words reach nobody but the staff; they themselves see them as ever. Refuses likewise. */
export async function isolatePerson(input: IsolatePerson, now = new Date()): Promise<void> {
  const { ticket, personId, on } = IsolatePerson.parse(input)
  const sitting = await requireChatAct(ticket, 'isolate')
  await changeRestriction(sitting, personId, async (tx) => {
    await restrictParticipants(tx, sitting.sessionId, [personId], { isolatedAt: on ? now : null })
    // The isolated one is not told: that is the point of it.
    await appendAndPublish(tx, sitting, [
      { type: 'user.isolated', actorId: sitting.personId, audience: 'staff', personId, payload: { personId, on } },
    ])
  })
}

/**
 * Shows somebody the door, on every account and device of this session that is theirs, or lets them in again. Their
 * streams end at once, and what they send and play. Refuses likewise.
 */
export async function banPerson(input: BanPerson, now = new Date()): Promise<void> {
  const { ticket, personId, on, reason } = BanPerson.parse(input)
  const sitting = await requireChatAct(ticket, 'ban')
  await changeRestriction(sitting, personId, async (tx) => {
    const ids = await findSamePerson(tx, sitting.sessionId, personId)
    await restrictParticipants(tx, sitting.sessionId, ids, { bannedAt: on ? now : null })
    await appendAndPublish(
      tx,
      sitting,
      ids.map((id) => ({
        type: 'user.banned',
        actorId: sitting.personId,
        audience: 'person',
        personId: id,
        payload: { personId: id, on, reason },
      })),
    )
    if (!on) return
    for (const id of ids) await endStreamsOfUser(id)
    disconnectParticipants(sitting.sessionId, ids)
  })
}

async function changeRestriction(
  sitting: RoomParticipant,
  personId: string,
  change: (tx: Tx) => Promise<void>,
): Promise<void> {
  await inTenant(sitting, async (tx) => {
    await lockEventLog(tx, sitting)
    const role = await readRole(tx, sitting.sessionId, personId)
    const { allow, because } = canRestrict(sitting, { personId, role })
    if (!allow) throw new Refusal('forbidden', { data: { because } })
    await change(tx)
  })
}

async function readRole(tx: Tx, sessionId: string, personId: string): Promise<RoomRole> {
  const [found] = await tx
    .select({ role: workshopParticipant.role })
    .from(workshopParticipant)
    .where(and(eq(workshopParticipant.sessionId, sessionId), eq(workshopParticipant.id, personId)))
  if (!found) throw new Refusal('not_found')
  return found.role
}
