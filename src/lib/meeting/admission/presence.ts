import { and, count, eq, gt, inArray, isNotNull, isNull, lt, or, sql } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { inTenant } from '#lib/core/db/db.ts'
import { publish } from '#lib/core/live/live.ts'
import { noteAttendance } from '#lib/registration/attendance.ts'
import type { NewEvent } from '#lib/workshop/session/event-schema.ts'
import { workshopParticipant } from '#lib/workshop/session/event-table.ts'
import { appendAndSay, type SessionOf } from '../publish-events.ts'
import { roomChannel } from '../room-rules.ts'
import { takeOffGone } from '../stage/live-streams.ts'
import { meetingPresence, meetingQueue, meetingRoom, meetingStream } from '../table.ts'
import { noteHosts } from './host.ts'
import { admit, lockRoom, sweepQueue } from './queue.ts'

/** Who closes a tab and opens it again has not left. */
export const GRACE_MS = 15_000
/** A process that has not said for so long that its streams are alive is dead. */
const DEAF_MS = 30_000
const ONLINE_MS = 2000
const KEPT_MS = 600_000

/**
 * Brings the log up to what the streams of a session say: who came and who left, exactly by turns for each person, the
 * hosts lost and back, the number of viewers, and free seats to those who wait. Safe at any time, in any process.
 * Answers whether it should be looked at again soon: the number could not be told yet.
 */
export function reconcile(of: SessionOf, now = new Date()): Promise<boolean> {
  return inTenant(of, async (tx) => {
    const room = await lockRoom(tx, of)
    const changed = await changesOf(tx, of.sessionId, now)
    const [came, left] = [changed.filter(({ here }) => here), changed.filter(({ here }) => !here)]
    if (changed.length > 0) {
      await mark(tx, of.sessionId, came, left, now)
      await noteRegistrants(tx, of.sessionId, changed, now)
      await appendAndSay(tx, of, [...came.map(cameEvent), ...left.map(leftEvent)], now)
      const gone = left.map(({ personId }) => personId)
      if (gone.length > 0) await takeOffGone(tx, of, gone)
    }
    await noteHosts(tx, of, room, now)
    if (left.length > 0 || room.waiting > 0) await admit(tx, of, now)
    await forget(tx, of.sessionId, now)
    return tellOnline(tx, of.sessionId, room, now)
  })
}

interface Change {
  personId: string
  here: boolean
  /** Since when that is so: the last that was heard of who left. */
  at: Date
  device: typeof meetingStream.$inferSelect.device
}

async function changesOf(tx: Tx, sessionId: string, now: Date): Promise<Change[]> {
  const deaf = new Date(now.getTime() - DEAF_MS)
  const grace = new Date(now.getTime() - GRACE_MS)
  const heard = tx
    .select({ personId: meetingStream.personId })
    .from(meetingStream)
    .where(
      and(
        eq(meetingStream.sessionId, sessionId),
        or(and(isNull(meetingStream.closedAt), gt(meetingStream.seenAt, deaf)), gt(meetingStream.closedAt, grace)),
      ),
    )
  // Not a join: that is planned badly while a crowd comes in and the statistics know nothing of it.
  const here = sql<boolean>`(${meetingPresence.personId} in (${heard}))`
  const changed = await tx
    .select({ personId: meetingPresence.personId, here })
    .from(meetingPresence)
    .where(and(eq(meetingPresence.sessionId, sessionId), sql`${meetingPresence.present} <> ${here}`))
  const last = await lastHeard(
    tx,
    sessionId,
    changed.map(({ personId }) => personId),
  )
  return changed.map(({ personId, here }) => {
    const { at, device } = last.get(personId) ?? { at: null, device: null }
    return { personId, here, at: here ? now : (at ?? now), device: device ?? 'unknown' }
  })
}

/** When people were heard of last, and on what device. */
async function lastHeard(tx: Tx, sessionId: string, people: string[]) {
  if (people.length === 0) return new Map<string, never>()
  const { personId, device, id, closedAt, seenAt } = meetingStream
  const rows = await tx
    .select({
      personId,
      at: sql<Date>`max(coalesce(${closedAt}, ${seenAt}))`.mapWith(seenAt),
      device: sql<Change['device']>`(array_agg(${device} order by ${id} desc))[1]`,
    })
    .from(meetingStream)
    .where(and(eq(meetingStream.sessionId, sessionId), inArray(personId, people)))
    .groupBy(personId)
  return new Map(rows.map((row) => [row.personId, row]))
}

async function mark(tx: Tx, sessionId: string, came: Change[], left: Change[], now: Date): Promise<void> {
  const of = (changes: Change[]) =>
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

const cameEvent = ({ personId, device }: Change): NewEvent => ({
  type: 'user.connect',
  actorId: personId,
  audience: 'staff',
  payload: { device },
})
const leftEvent = ({ personId }: Change): NewEvent => ({
  type: 'user.leave',
  actorId: personId,
  audience: 'staff',
  payload: {},
})

async function noteRegistrants(tx: Tx, sessionId: string, changed: Change[], now: Date): Promise<void> {
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
    registrationId ? [{ registrationId, first: joinedAt, last: now, seconds }] : [],
  )
  await noteAttendance(tx, attended)
}

async function tellOnline(
  tx: Tx,
  sessionId: string,
  room: typeof meetingRoom.$inferSelect,
  now: Date,
): Promise<boolean> {
  const [{ online } = { online: 0 }] = await onlineIn(tx, sessionId)
  if (online === room.online) return false
  if (room.onlineAt && now.getTime() - room.onlineAt.getTime() < ONLINE_MS) return true
  await tx.update(meetingRoom).set({ online, onlineAt: now }).where(eq(meetingRoom.sessionId, sessionId))
  await publish(roomChannel(sessionId), { online })
  return false
}

/** How many viewers are in the room now. */
export const onlineIn = (tx: Tx, sessionId: string) =>
  tx
    .select({ online: count() })
    .from(meetingPresence)
    .where(and(eq(meetingPresence.sessionId, sessionId), meetingPresence.present, meetingPresence.viewer))

// Streams that ended are of no use once their person has been seen to leave.
async function forget(tx: Tx, sessionId: string, now: Date): Promise<void> {
  const before = new Date(now.getTime() - KEPT_MS)
  await tx
    .delete(meetingStream)
    .where(
      and(
        eq(meetingStream.sessionId, sessionId),
        lt(meetingStream.seenAt, before),
        sql`(${meetingStream.closedAt} is null or ${lt(meetingStream.closedAt, before)})`,
      ),
    )
  await sweepQueue(tx, sessionId, now)
}

/** Sessions of a school where somebody is thought to be. */
export const peopledSessions = (tx: Tx) =>
  tx
    .selectDistinct({ sessionId: meetingPresence.sessionId })
    .from(meetingPresence)
    .where(sql`${meetingPresence.present}`)

/** The same, and those where somebody waits. */
export async function busySessions(tx: Tx, now: Date): Promise<string[]> {
  const lately = new Date(now.getTime() - KEPT_MS)
  const present = await peopledSessions(tx)
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
export const BUSY = `select 1 from meeting_presence where present
  union all select 1 from meeting_queue where seen_at > $1 - interval '${KEPT_MS} milliseconds'
  union all select 1 from meeting_stream
    where closed_at is null and seen_at > $1 - interval '${KEPT_MS} milliseconds'`
