import { and, eq, gt, inArray, isNull } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { MINUTE_MS } from '#lib/core/shared/time.ts'
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

/** An event without any published stream ends after this time. */
const SILENCE_LIMIT_MS = 30 * MINUTE_MS
const STREAM_TIMEOUT_MS = 30_000

/**
 * Appends host.lost or host.back to the event log when the last host stops publishing or one returns, and ends the
 * event 30 minutes after the last stream. The room is locked; the log is locked only when an entry is due.
 */
export async function updateHostPresence(
  tx: Tx,
  sessionRef: EventSessionRef,
  { heldAt, silentAt }: Pick<typeof meetingRoom.$inferSelect, 'heldAt' | 'silentAt'>,
  now: Date,
): Promise<void> {
  const [session] = await tx
    .select({ kind: workshopSession.kind, state: workshopSession.state })
    .from(workshopSession)
    .where(eq(workshopSession.id, sessionRef.sessionId))
  if (session?.state.phase !== 'live' || (session.kind !== 'live' && session.kind !== 'rehearsal')) return
  const isHostPublishing = await hasPublishingLeader(tx, sessionRef.sessionId, now)
  const isSilent = await isRoomSilent(tx, sessionRef.sessionId, session.state, isHostPublishing)
  if (isSilent && silentAt && now.getTime() - silentAt.getTime() >= SILENCE_LIMIT_MS) {
    const locked = await lockSession(tx, sessionRef)
    if (locked.state.phase === 'live') await finishSession(tx, sessionRef, locked, 'left')
    return
  }
  const set = {
    ...(isHostPublishing && heldAt && { heldAt: null }),
    ...(isSilent !== (silentAt !== null) && { silentAt: isSilent ? now : null }),
  }
  if (Object.keys(set).length > 0)
    await tx.update(meetingRoom).set(set).where(eq(meetingRoom.sessionId, sessionRef.sessionId))
  const isMarkedLost = session.state.hostLostAt !== null
  if (isHostPublishing && isMarkedLost) await appendHostEvent(tx, sessionRef, 'host.back', now)
  if (!isHostPublishing && !isMarkedLost && !heldAt) await appendHostEvent(tx, sessionRef, 'host.lost', now)
}

/** A moderator keeps the room open while its hosts are absent. Refuses with unauthorized, forbidden. */
export async function holdRoom({ seatToken }: Seat, now = new Date()): Promise<void> {
  const participant = await requireSeat(seatToken, 'moderate')
  await inTenant(participant, async (tx) => {
    await lockRoomRow(tx, participant)
    await tx.update(meetingRoom).set({ heldAt: now }).where(eq(meetingRoom.sessionId, participant.sessionId))
    await appendHostEvent(tx, participant, 'host.back', now, participant.personId)
  })
}

async function appendHostEvent(
  tx: Tx,
  sessionRef: EventSessionRef,
  type: 'host.lost' | 'host.back',
  now: Date,
  actorId: string | null = null,
) {
  const { state } = await lockSession(tx, sessionRef)
  const isMarkedLost = state.hostLostAt !== null
  if (state.phase !== 'live' || isMarkedLost === (type === 'host.lost')) return
  await appendAndPublish(tx, sessionRef, [{ type, payload: {}, actorId }], now)
}

// A host's stream counts as long as it is open: the viewers' pages decide how long they tolerate silence.
async function hasPublishingLeader(tx: Tx, sessionId: string, now: Date): Promise<boolean> {
  const rows = await tx
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
  return rows.length > 0
}

// An event whose host is present but publishes nothing from the browser (an encoder elsewhere, for example) is not
// abandoned.
async function isRoomSilent(
  tx: Tx,
  sessionId: string,
  { onAir }: RoomState,
  isHostPublishing: boolean,
): Promise<boolean> {
  if (onAir.length > 0) return false
  if (!isHostPublishing) return true
  const sent = await tx
    .select({ seq: workshopEvent.seq })
    .from(workshopEvent)
    .where(and(eq(workshopEvent.sessionId, sessionId), eq(workshopEvent.type, 'broadcast.change')))
    .limit(1)
  return sent.length > 0
}
