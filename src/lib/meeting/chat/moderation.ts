import { and, eq } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { cutStreams } from '#lib/core/live/live.ts'
import type { RoomRole } from '#lib/core/shared/event/live-event.ts'
import { workshopParticipant } from '#lib/workshop/session/event-table.ts'
import { orderParticipants, sameParticipants } from '#lib/workshop/session/participant-order.ts'
import type { Sitting } from '../admission/seat.ts'
import { appendAndSay } from '../publish-events.ts'
import { oust } from '../stage/disconnect.ts'
import { lockLog } from './actions.ts'
import { mayOrder } from './rules.ts'
import { mustChat } from './say.ts'
import { BanPerson, IsolatePerson, MutePerson } from './schema.ts'

/** Lets somebody say nothing for so many minutes; 0 lets them speak again. Refuses with forbidden, not_found. */
export async function mutePerson(input: MutePerson, now = new Date()): Promise<void> {
  const { ticket, personId, minutes } = MutePerson.parse(input)
  const sitting = await mustChat(ticket, 'mute')
  const mutedUntil = minutes === 0 ? null : new Date(now.getTime() + minutes * 60_000)
  await order(sitting, personId, async (tx) => {
    await orderParticipants(tx, sitting.sessionId, [personId], { mutedUntil })
    const payload = { personId, until: mutedUntil?.toISOString() ?? null }
    await appendAndSay(tx, sitting, [
      { type: 'user.muted', actorId: sitting.personId, audience: 'person', personId, payload },
    ])
  })
}

/** From now on somebody's words reach nobody but the staff; they themselves see them as ever. Refuses likewise. */
export async function isolatePerson(input: IsolatePerson, now = new Date()): Promise<void> {
  const { ticket, personId, on } = IsolatePerson.parse(input)
  const sitting = await mustChat(ticket, 'isolate')
  await order(sitting, personId, async (tx) => {
    await orderParticipants(tx, sitting.sessionId, [personId], { isolatedAt: on ? now : null })
    // The isolated one is not told: that is the point of it.
    await appendAndSay(tx, sitting, [
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
  const sitting = await mustChat(ticket, 'ban')
  await order(sitting, personId, async (tx) => {
    const ids = await sameParticipants(tx, sitting.sessionId, personId)
    await orderParticipants(tx, sitting.sessionId, ids, { bannedAt: on ? now : null })
    await appendAndSay(
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
    for (const id of ids) await cutStreams(id)
    oust(sitting.sessionId, ids)
  })
}

async function order(sitting: Sitting, personId: string, act: (tx: Tx) => Promise<void>): Promise<void> {
  await inTenant(sitting, async (tx) => {
    await lockLog(tx, sitting)
    const role = await roleOf(tx, sitting.sessionId, personId)
    const { allow, because } = mayOrder(sitting, { personId, role })
    if (!allow) throw new Refusal('forbidden', { data: { because } })
    await act(tx)
  })
}

async function roleOf(tx: Tx, sessionId: string, personId: string): Promise<RoomRole> {
  const [found] = await tx
    .select({ role: workshopParticipant.role })
    .from(workshopParticipant)
    .where(and(eq(workshopParticipant.sessionId, sessionId), eq(workshopParticipant.id, personId)))
  if (!found) throw new Refusal('not_found')
  return found.role
}
