import { and, eq, gt, inArray, isNull } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { ROOM_RIGHTS } from '#lib/workshop/rules.ts'
import { workshopEvent, workshopParticipant } from '#lib/workshop/session/event-table.ts'
import type { RoomState } from '#lib/workshop/session/state-schema.ts'
import { workshopSession } from '#lib/workshop/table.ts'
import { finishSession } from '../control.ts'
import { appendAndPublish, type EventSessionRef } from '../publish-events.ts'
import type { Seat } from '../room-schema.ts'
import { lockSession } from '../session.ts'
import { meetingRoom, meetingStream } from '../table.ts'
import { lockRoomRow } from './queue.ts'
import { requireSeat } from './seat.ts'

/** An event that nobody sends any more ends by itself after so long. */
export const SILENCE_LIMIT_MS = 30 * 60_000
const STREAM_TIMEOUT_MS = 30_000

/**
 * Says in the log of a running event when all who may lead it are gone, at once, and when one of them is back; ends it
 * half an hour after the last stream was sent. Its room is locked; the log is only when there is something to say.
 */
export async function updateHostPresence(
  tx: Tx,
  of: EventSessionRef,
  { heldAt, silentAt }: Pick<typeof meetingRoom.$inferSelect, 'heldAt' | 'silentAt'>,
  now: Date,
): Promise<void> {
  const [session] = await tx
    .select({ kind: workshopSession.kind, state: workshopSession.state })
    .from(workshopSession)
    .where(eq(workshopSession.id, of.sessionId))
  if (session?.state.phase !== 'live' || (session.kind !== 'live' && session.kind !== 'rehearsal')) return
  const led = await hasPublishingLeader(tx, of.sessionId, now)
  const silent = await isRoomSilent(tx, of.sessionId, session.state, led)
  if (silent && silentAt && now.getTime() - silentAt.getTime() >= SILENCE_LIMIT_MS) {
    const locked = await lockSession(tx, of)
    if (locked.state.phase === 'live') await finishSession(tx, of, locked, 'left')
    return
  }
  const set = {
    ...(led && heldAt && { heldAt: null }),
    ...(silent !== (silentAt !== null) && { silentAt: silent ? now : null }),
  }
  if (Object.keys(set).length > 0) await tx.update(meetingRoom).set(set).where(eq(meetingRoom.sessionId, of.sessionId))
  const lost = session.state.hostLostAt !== null
  if (led && lost) await appendHostEvent(tx, of, 'host.back', now)
  if (!led && !lost && !heldAt) await appendHostEvent(tx, of, 'host.lost', now)
}

/** A moderator keeps the room going while its hosts are away. Refuses with unauthorized, forbidden. */
export async function holdRoom({ ticket }: Seat, now = new Date()): Promise<void> {
  const sitting = await requireSeat(ticket, 'moderate')
  await inTenant(sitting, async (tx) => {
    await lockRoomRow(tx, sitting)
    await tx.update(meetingRoom).set({ heldAt: now }).where(eq(meetingRoom.sessionId, sitting.sessionId))
    await appendHostEvent(tx, sitting, 'host.back', now, sitting.personId)
  })
}

async function appendHostEvent(
  tx: Tx,
  of: EventSessionRef,
  type: 'host.lost' | 'host.back',
  now: Date,
  actorId: string | null = null,
) {
  const { state } = await lockSession(tx, of)
  const lost = state.hostLostAt !== null
  if (state.phase !== 'live' || lost === (type === 'host.lost')) return
  await appendAndPublish(tx, of, [{ type, payload: {}, actorId }], now)
}

// A leader's stream counts as long as it is open: the pages of viewers decide how long they are patient.
async function hasPublishingLeader(tx: Tx, sessionId: string, now: Date): Promise<boolean> {
  const found = await tx
    .select({ id: meetingStream.id })
    .from(meetingStream)
    .innerJoin(workshopParticipant, eq(workshopParticipant.id, meetingStream.personId))
    .where(
      and(
        eq(meetingStream.sessionId, sessionId),
        isNull(meetingStream.closedAt),
        gt(meetingStream.seenAt, new Date(now.getTime() - STREAM_TIMEOUT_MS)),
        inArray(workshopParticipant.role, [...ROOM_RIGHTS.start]),
      ),
    )
    .limit(1)
  return found.length > 0
}

// An event whose host is there but sends nothing from the browser, a film elsewhere perhaps, is none that was left.
async function isRoomSilent(tx: Tx, sessionId: string, { onAir }: RoomState, led: boolean): Promise<boolean> {
  if (onAir.length > 0) return false
  if (!led) return true
  const sent = await tx
    .select({ seq: workshopEvent.seq })
    .from(workshopEvent)
    .where(and(eq(workshopEvent.sessionId, sessionId), eq(workshopEvent.type, 'broadcast.change')))
    .limit(1)
  return sent.length > 0
}
