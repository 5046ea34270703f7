import { and, count, eq, gt, inArray, isNotNull, isNull, lt, or, sql } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { inTenant } from '#lib/core/db/db.ts'
import { publish } from '#lib/core/live/live.ts'
import { recordAttendance } from '#lib/registration/attendance.ts'
import type { NewEvent } from '#lib/workshop/session/event-schema.ts'
import { workshopParticipant } from '#lib/workshop/session/event-table.ts'
import { appendAndPublish, type EventSessionRef } from '../publish-events.ts'
import { roomChannel } from '../room-rules.ts'
import { removeLeftPublishers } from '../stage/live-streams.ts'
import { meetingPresence, meetingQueue, meetingRoom, meetingStream } from '../table.ts'
import { updateHostPresence } from './host.ts'
import { admitFromQueue, deleteOldQueueRows, lockRoomRow } from './queue.ts'

/** Who closes a tab and opens it again has not left. */
export const RECONNECT_GRACE_MS = 15_000
/** A process that has not said for so long that its streams are alive is dead. */
const STREAM_TIMEOUT_MS = 30_000
const ONLINE_INTERVAL_MS = 2000
const STREAM_RETENTION_MS = 600_000

/**
 * Brings the log up to what the streams of a session say: who came and who left, exactly by turns for each person, the
 * hosts lost and back, the number of viewers, and free seats to those who wait. Safe at any time, in any process.
 * Answers whether it should be looked at again soon: the number could not be told yet.
 */
export function reconcilePresence(of: EventSessionRef, now = new Date()): Promise<boolean> {
  return inTenant(of, async (tx) => {
    const room = await lockRoomRow(tx, of)
    const changed = await findPresenceChanges(tx, of.sessionId, now)
    const [came, left] = [changed.filter(({ isPresent: here }) => here), changed.filter(({ isPresent: here }) => !here)]
    if (changed.length > 0) {
      await updatePresence(tx, of.sessionId, came, left, now)
      await recordRegistrantAttendance(tx, of.sessionId, changed, now)
      await appendAndPublish(tx, of, [...came.map(toConnectEvent), ...left.map(toLeaveEvent)], now)
      const gone = left.map(({ personId }) => personId)
      if (gone.length > 0) await removeLeftPublishers(tx, of, gone)
    }
    await updateHostPresence(tx, of, room, now)
    if (left.length > 0 || room.waiting > 0) await admitFromQueue(tx, of, now)
    await deleteOldStreams(tx, of.sessionId, now)
    return publishOnlineCount(tx, of.sessionId, room, now)
  })
}

interface PresenceChange {
  personId: string
  isPresent: boolean
  /** Since when that is so: the last that was heard of who left. */
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
  // Not a join: that is planned badly while a crowd comes in and the statistics know nothing of it.
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

/** When people were heard of last, and on what device. */
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
  came: PresenceChange[],
  left: PresenceChange[],
  now: Date,
): Promise<void> {
  const of = (changes: PresenceChange[]) =>
    and(
      eq(meetingPresence.sessionId, sessionId),
      inArray(
        meetingPresence.personId,
        changes.map(({ personId }) => personId),
      ),
    )
  if (came.length > 0) await tx.update(meetingPresence).set({ present: true, at: now, seatUntil: null }).where(of(came))
  if (left.length > 0) {
    const stay = sql`greatest(0, extract(epoch from ${now.toISOString()}::timestamptz - ${meetingPresence.at}))::int`
    await tx
      .update(meetingPresence)
      .set({ present: false, at: now, seatUntil: null, seconds: sql`${meetingPresence.seconds} + ${stay}` })
      .where(of(left))
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

/** How many viewers are in the room now. */
export const onlineCountQuery = (tx: Tx, sessionId: string) =>
  tx
    .select({ online: count() })
    .from(meetingPresence)
    .where(and(eq(meetingPresence.sessionId, sessionId), meetingPresence.present, meetingPresence.viewer))

// Streams that ended are of no use once their person has been seen to leave.
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

/** Sessions of a school where somebody is thought to be. */
export const findOccupiedSessions = (tx: Tx) =>
  tx
    .selectDistinct({ sessionId: meetingPresence.sessionId })
    .from(meetingPresence)
    .where(sql`${meetingPresence.present}`)

/** The same, and those where somebody waits. */
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

/** SQL: whether `busySessions` of a tenant finds any; $1 is now. */
export const BUSY_SESSIONS_SQL = `select 1 from meeting_presence where present
  union all select 1 from meeting_queue where seen_at > $1 - interval '${STREAM_RETENTION_MS} milliseconds'
  union all select 1 from meeting_stream
    where closed_at is null and seen_at > $1 - interval '${STREAM_RETENTION_MS} milliseconds'`
