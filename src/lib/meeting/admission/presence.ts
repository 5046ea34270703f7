import { and, count, eq, gt, inArray, isNotNull, isNull, lt, or, sql } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { inTenant } from '#lib/core/db/db.ts'
import { publish } from '#lib/core/live/live.ts'
import { recordAttendance } from '#lib/registration/attendance.ts'
import type { NewEvent } from '#lib/workshop/session/event-schema.ts'
import { workshopParticipant } from '#lib/workshop/session/event-table.ts'
import { appendAndPublish, type EventSessionRef } from '../publish-events.ts'
import { roomChannel } from '../room-rules.ts'
import { removePublishers } from '../stage/live-streams.ts'
import { meetingPresence, meetingQueue, meetingRoom, meetingStream } from '../table.ts'
import { updateHostPresence } from './host.ts'
import { admitFromQueue, deleteOldQueueRows, lockRoomRow } from './queue.ts'

/** A participant who reconnects within this time has not left. */
export const RECONNECT_GRACE_MS = 15_000
/** A process without a heartbeat for this long is considered dead. */
const STREAM_TIMEOUT_MS = 30_000
const ONLINE_INTERVAL_MS = 2000
const STREAM_RETENTION_MS = 600_000

/**
 * Reconciles the event log with the open streams of a session: joins and leaves (strictly alternating per participant),
 * host.lost and host.back, the number of viewers, and free seats for the waiting queue. Safe at any time and in any
 * process. Returns whether to run again soon, because the viewer count is throttled.
 */
export function reconcilePresence(sessionRef: EventSessionRef, now = new Date()): Promise<boolean> {
  return inTenant(sessionRef, async (tx) => {
    const room = await lockRoomRow(tx, sessionRef)
    const changed = await findPresenceChanges(tx, sessionRef.sessionId, now)
    const [joined, left] = [changed.filter(({ isPresent }) => isPresent), changed.filter(({ isPresent }) => !isPresent)]
    if (changed.length > 0) {
      await updatePresence(tx, sessionRef.sessionId, joined, left, now)
      await recordRegistrantAttendance(tx, sessionRef.sessionId, changed, now)
      await appendAndPublish(tx, sessionRef, [...joined.map(toConnectEvent), ...left.map(toLeaveEvent)], now)
    }
    await removePublishers(
      tx,
      sessionRef,
      left.map(({ personId }) => personId),
    )
    await updateHostPresence(tx, sessionRef, room, now)
    if (left.length > 0 || room.waiting > 0) await admitFromQueue(tx, sessionRef, now)
    await deleteOldStreams(tx, sessionRef.sessionId, now)
    return publishOnlineCount(tx, sessionRef.sessionId, room, now)
  })
}

interface PresenceChange {
  personId: string
  isPresent: boolean
  /** When the state changed: for a participant who left, when the last stream was seen. */
  at: Date
  device: typeof meetingStream.$inferSelect.device
}

async function findPresenceChanges(tx: Tx, sessionId: string, now: Date): Promise<PresenceChange[]> {
  const deadBefore = new Date(now.getTime() - STREAM_TIMEOUT_MS)
  const graceStart = new Date(now.getTime() - RECONNECT_GRACE_MS)
  const connected = tx
    .select({ personId: meetingStream.personId })
    .from(meetingStream)
    .where(
      and(
        eq(meetingStream.sessionId, sessionId),
        or(
          and(isNull(meetingStream.closedAt), gt(meetingStream.seenAt, deadBefore)),
          gt(meetingStream.closedAt, graceStart),
        ),
      ),
    )
  // Not a join: the planner has no statistics while many participants enter, and plans a join badly.
  const isPresent = sql<boolean>`(${meetingPresence.personId} in (${connected}))`
  const changed = await tx
    .select({ personId: meetingPresence.personId, isPresent })
    .from(meetingPresence)
    .where(and(eq(meetingPresence.sessionId, sessionId), sql`${meetingPresence.present} <> ${isPresent}`))
  const last = await findLastSeen(
    tx,
    sessionId,
    changed.map(({ personId }) => personId),
  )
  return changed.map(({ personId, isPresent }) => {
    const { at, device } = last.get(personId) ?? { at: null, device: null }
    return { personId, isPresent, at: isPresent ? now : (at ?? now), device: device ?? 'unknown' }
  })
}

/** When each participant was last seen, and on which device. */
async function findLastSeen(tx: Tx, sessionId: string, people: string[]) {
  if (people.length === 0) return new Map<string, never>()
  const { personId, device, id, closedAt, seenAt } = meetingStream
  const rows = await tx
    .select({
      personId,
      at: sql<Date>`max(coalesce(${closedAt}, ${seenAt}))`.mapWith(seenAt),
      device: sql<PresenceChange['device']>`(array_agg(${device} order by ${id} desc))[1]`,
    })
    .from(meetingStream)
    .where(and(eq(meetingStream.sessionId, sessionId), inArray(personId, people)))
    .groupBy(personId)
  return new Map(rows.map((row) => [row.personId, row]))
}

async function updatePresence(
  tx: Tx,
  sessionId: string,
  joined: PresenceChange[],
  left: PresenceChange[],
  now: Date,
): Promise<void> {
  const sessionRef = (changes: PresenceChange[]) =>
    and(
      eq(meetingPresence.sessionId, sessionId),
      inArray(
        meetingPresence.personId,
        changes.map(({ personId }) => personId),
      ),
    )
  if (joined.length > 0)
    await tx.update(meetingPresence).set({ present: true, at: now, seatUntil: null }).where(sessionRef(joined))
  if (left.length > 0) {
    const staySeconds = sql`greatest(0, extract(epoch from ${now.toISOString()}::timestamptz - ${meetingPresence.at}))::int`
    await tx
      .update(meetingPresence)
      .set({ present: false, at: now, seatUntil: null, seconds: sql`${meetingPresence.seconds} + ${staySeconds}` })
      .where(sessionRef(left))
  }
}

const toConnectEvent = ({ personId, device }: PresenceChange): NewEvent => ({
  type: 'user.connect',
  actorId: personId,
  audience: 'staff',
  payload: { device },
})
const toLeaveEvent = ({ personId }: PresenceChange): NewEvent => ({
  type: 'user.leave',
  actorId: personId,
  audience: 'staff',
  payload: {},
})

async function recordRegistrantAttendance(
  tx: Tx,
  sessionId: string,
  changed: PresenceChange[],
  now: Date,
): Promise<void> {
  const rows = await tx
    .select({
      registrationId: workshopParticipant.registrationId,
      seconds: meetingPresence.seconds,
      joinedAt: workshopParticipant.joinedAt,
    })
    .from(workshopParticipant)
    .innerJoin(meetingPresence, eq(meetingPresence.personId, workshopParticipant.id))
    .where(
      and(
        eq(workshopParticipant.sessionId, sessionId),
        isNotNull(workshopParticipant.registrationId),
        inArray(
          workshopParticipant.id,
          changed.map(({ personId }) => personId),
        ),
      ),
    )
  const attended = rows.flatMap(({ registrationId, joinedAt, seconds }) =>
    registrationId ? [{ registrationId, firstAt: joinedAt, lastAt: now, seconds }] : [],
  )
  await recordAttendance(tx, attended)
}

async function publishOnlineCount(
  tx: Tx,
  sessionId: string,
  room: typeof meetingRoom.$inferSelect,
  now: Date,
): Promise<boolean> {
  const [{ online } = { online: 0 }] = await onlineCountQuery(tx, sessionId)
  if (online === room.online) return false
  if (room.onlineAt && now.getTime() - room.onlineAt.getTime() < ONLINE_INTERVAL_MS) return true
  await tx.update(meetingRoom).set({ online, onlineAt: now }).where(eq(meetingRoom.sessionId, sessionId))
  await publish(roomChannel(sessionId), { online })
  return false
}

/** Query for the number of viewers in the room. */
export const onlineCountQuery = (tx: Tx, sessionId: string) =>
  tx
    .select({ online: count() })
    .from(meetingPresence)
    .where(and(eq(meetingPresence.sessionId, sessionId), meetingPresence.present, meetingPresence.viewer))

// Closed streams are not needed after the leave event is written.
async function deleteOldStreams(tx: Tx, sessionId: string, now: Date): Promise<void> {
  const before = new Date(now.getTime() - STREAM_RETENTION_MS)
  await tx
    .delete(meetingStream)
    .where(
      and(
        eq(meetingStream.sessionId, sessionId),
        lt(meetingStream.seenAt, before),
        sql`(${meetingStream.closedAt} is null or ${lt(meetingStream.closedAt, before)})`,
      ),
    )
  await deleteOldQueueRows(tx, sessionId, now)
}

/** Sessions of the tenant with at least one present participant. */
export const findOccupiedSessions = (tx: Tx) =>
  tx
    .selectDistinct({ sessionId: meetingPresence.sessionId })
    .from(meetingPresence)
    .where(sql`${meetingPresence.present}`)

/** The occupied sessions, and those with a waiting queue or an open stream. */
export async function findBusySessions(tx: Tx, now: Date): Promise<string[]> {
  const lately = new Date(now.getTime() - STREAM_RETENTION_MS)
  const present = await findOccupiedSessions(tx)
  const waiting = await tx
    .selectDistinct({ sessionId: meetingQueue.sessionId })
    .from(meetingQueue)
    .where(gt(meetingQueue.seenAt, lately))
  const open = await tx
    .selectDistinct({ sessionId: meetingStream.sessionId })
    .from(meetingStream)
    .where(and(isNull(meetingStream.closedAt), gt(meetingStream.seenAt, lately)))
  return [...new Set([...present, ...waiting, ...open].map(({ sessionId }) => sessionId))]
}

/** SQL condition: whether `findBusySessions` of a tenant finds any; $1 is now. */
export const BUSY_SESSIONS_SQL = `select 1 from meeting_presence where present
  union all select 1 from meeting_queue where seen_at > $1 - interval '${STREAM_RETENTION_MS} milliseconds'
  union all select 1 from meeting_stream
    where closed_at is null and seen_at > $1 - interval '${STREAM_RETENTION_MS} milliseconds'`
