import { and, asc, count, desc, eq, exists, gt, inArray, isNull, lt, or, sql } from 'drizzle-orm'
import { getTenantPlans } from '#lib/billing/billing.ts'
import { limitOf } from '#lib/billing/plans.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { publish } from '#lib/core/live/live.ts'
import type { RoomRole } from '#lib/core/shared/event/live-event.ts'
import { HOUR_MS, MINUTE_MS } from '#lib/core/shared/time.ts'
import { workshopParticipant } from '#lib/workshop/session/event-table.ts'
import { workshop } from '#lib/workshop/table.ts'
import type { EventSessionRef } from '../publish-events.ts'
import { personChannel, staffChannel } from '../room-rules.ts'
import type { PlaceView, Seat } from '../room-schema.ts'
import { meetingPresence, meetingQueue, meetingRoom, meetingStream } from '../table.ts'
import { type SeatRef, verifySeatToken } from './seat.ts'

/** A seat is reserved this long for a participant who is entering. */
const SEAT_RESERVATION_MS = MINUTE_MS
/** A participant not seen for this long has left the queue. */
const QUEUE_TIMEOUT_MS = 45_000
/** This many participants at the front of the queue are notified when their position changes. */
const NOTIFIED_PLACES = 50

/** Locks joins and leaves of a session. Lock order: the room first, then the event log. */
export async function lockRoomRow(tx: Tx, { tenantId, sessionId }: EventSessionRef) {
  const lock = () => tx.select().from(meetingRoom).where(eq(meetingRoom.sessionId, sessionId)).for('update')
  const [known] = await lock()
  if (known) return known
  await tx.insert(meetingRoom).values({ tenantId, sessionId }).onConflictDoNothing()
  const [room] = await lock()
  if (!room) throw new Refusal('not_found')
  return room
}

/** A participant who requests a seat; the plan's limit counts viewers only. */
export interface SeatRequest {
  personId: string
  role: RoomRole
}

/** Extends the reservation of a seat without locking the room; false when there is none. */
export async function extendReservation(tx: Tx, { sessionId, personId }: SeatRef, now = new Date()): Promise<boolean> {
  const updated = await tx
    .update(meetingPresence)
    .set({ seatUntil: reservationEnd(now) })
    .where(and(eq(meetingPresence.sessionId, sessionId), eq(meetingPresence.personId, personId), hasSeat(now)))
    .returning({ personId: meetingPresence.personId })
  return updated.length > 0
}

/** `takeSeats` for one participant: null with a seat, otherwise the position in the queue. */
export async function takeSeat(tx: Tx, seat: SeatRef, role: RoomRole, now = new Date()) {
  const [place = null] = await takeSeats(tx, seat, [{ personId: seat.personId, role }], now)
  return place
}

/**
 * Takes or extends seats in a locked room, in the given order. Per participant: null with a seat, otherwise the
 * position in the queue.
 */
export async function takeSeats(
  tx: Tx,
  sessionRef: EventSessionRef,
  people: readonly SeatRequest[],
  now = new Date(),
): Promise<({ place: number } | null)[]> {
  const viewers = people.filter(({ role }) => role === 'viewer').map(({ personId }) => personId)
  const staff = new Set(people.filter(({ role }) => role !== 'viewer').map(({ personId }) => personId))
  const seatedIds = await findSeated(tx, sessionRef, viewers, now)
  await reserveSeats(tx, sessionRef, [...staff], false, now)
  await reserveSeats(tx, sessionRef, [...seatedIds], true, now)
  const seeking = [...new Set(viewers)].filter((personId) => !seatedIds.has(personId))
  if (seeking.length === 0) return people.map(() => null)
  const direct = await reserveFreeSeats(tx, sessionRef, seeking, now)
  const remaining = seeking.slice(direct)
  if (remaining.length === 0) return people.map(() => null)
  await joinQueue(tx, sessionRef, remaining, now)
  const admitted = new Set(await admitFromQueue(tx, sessionRef, now))
  const waiting = await readQueue(tx, sessionRef.sessionId, now)
  const queued = new Set(remaining.filter((personId) => !admitted.has(personId)))
  return people.map(({ personId }) =>
    queued.has(personId) ? { place: waiting.indexOf(personId) + 1 || waiting.length + 1 } : null,
  )
}

/**
 * Allocates free seats of a locked room to the first viewers of the queue and notifies them; publishes new positions to
 * the others and the queue length to staff. Returns the ids of the admitted participants.
 */
export async function admitFromQueue(tx: Tx, sessionRef: EventSessionRef, now = new Date()): Promise<string[]> {
  const { sessionId } = sessionRef
  const { limit, free } = await countFreeSeats(tx, sessionId, now)
  const waiting = await readQueue(tx, sessionId, now)
  const admitted = waiting.slice(0, Math.max(0, free))
  if (admitted.length > 0) {
    await reserveSeats(tx, sessionRef, admitted, true, now)
    await tx
      .delete(meetingQueue)
      .where(and(eq(meetingQueue.sessionId, sessionId), inArray(meetingQueue.personId, admitted)))
    for (const personId of admitted) await publish(personChannel(personId), { admitted: true })
    for (const [index, personId] of waiting.slice(admitted.length, admitted.length + NOTIFIED_PLACES).entries())
      await publish(personChannel(personId), { place: index + 1 })
  }
  await publishWaitingCount(tx, sessionId, waiting.length - admitted.length, limit)
  return admitted
}

/** Number of viewers that the tenant's plan allows in a room; null: unlimited. */
export const viewerLimit = async (tx: Tx, now: Date): Promise<number | null> =>
  limitOf(await getTenantPlans(tx), 'viewer_count', now)

/** Seats of a room: the plan's limit of viewers and a tenth more. */
export const seatsFor = (limit: number): number => limit + Math.floor(limit / 10)

/** Number of participants in the waiting queue. */
export async function countWaitingQueue(tx: Tx, sessionId: string, now = new Date()): Promise<number> {
  return (await readQueue(tx, sessionId, now)).length
}

/**
 * Position of the seat token's holder in the queue; `admitted` when they have a seat. Refuses with unauthorized, and
 * forbidden for a banned participant.
 */
export async function getQueuePlace({ seatToken }: Seat, now = new Date()): Promise<PlaceView> {
  const seat = verifySeatToken(seatToken, now)
  return inTenant(seat, async (tx) => {
    const [person] = await tx
      .select({
        bannedAt: workshopParticipant.bannedAt,
        workshopId: workshopParticipant.workshopId,
        title: workshop.title,
      })
      .from(workshopParticipant)
      .innerJoin(workshop, eq(workshop.id, workshopParticipant.workshopId))
      .where(and(eq(workshopParticipant.id, seat.personId), eq(workshopParticipant.sessionId, seat.sessionId)))
    if (!person) throw new Refusal('unauthorized')
    if (person.bannedAt) throw new Refusal('forbidden', { data: { reason: 'banned' } })
    const { workshopId, title } = person
    await lockRoomRow(tx, seat)
    const queueRows = await tx
      .update(meetingQueue)
      .set({ seenAt: now })
      .where(and(eq(meetingQueue.sessionId, seat.sessionId), eq(meetingQueue.personId, seat.personId)))
      .returning({ id: meetingQueue.id })
    if (queueRows.length === 0) return { place: 0, admitted: true, workshopId, title }
    const admitted = await admitFromQueue(tx, seat, now)
    if (admitted.includes(seat.personId)) return { place: 0, admitted: true, workshopId, title }
    return { place: await findPlace(tx, seat, now), admitted: false, workshopId, title }
  })
}

/** Which of the participants have a seat. */
async function findSeated(
  tx: Tx,
  { sessionId }: EventSessionRef,
  people: readonly string[],
  now: Date,
): Promise<Set<string>> {
  if (people.length === 0) return new Set()
  const { personId } = meetingPresence
  const rows = await tx
    .select({ personId })
    .from(meetingPresence)
    .where(and(eq(meetingPresence.sessionId, sessionId), inArray(personId, [...people]), hasSeat(now)))
  return new Set(rows.map((row) => row.personId))
}

/** Reserves seats while there are free ones and the queue is empty; returns how many. */
async function reserveFreeSeats(
  tx: Tx,
  sessionRef: EventSessionRef,
  people: readonly string[],
  now: Date,
): Promise<number> {
  if ((await readQueue(tx, sessionRef.sessionId, now)).length > 0) return 0
  const { free } = await countFreeSeats(tx, sessionRef.sessionId, now)
  const first = people.slice(0, Math.max(0, free))
  await reserveSeats(tx, sessionRef, first, true, now)
  return first.length
}

async function countFreeSeats(tx: Tx, sessionId: string, now: Date): Promise<{ limit: number | null; free: number }> {
  const limit = await viewerLimit(tx, now)
  return {
    limit,
    free: limit === null ? Number.MAX_SAFE_INTEGER : seatsFor(limit) - (await countSeats(tx, sessionId, now)),
  }
}

async function joinQueue(tx: Tx, { tenantId, sessionId }: EventSessionRef, people: readonly string[], now: Date) {
  // The queue is ordered by these ids, also within one millisecond.
  const ids = people.map(() => newId()).sort()
  await tx
    .insert(meetingQueue)
    .values(
      people.map((personId, index) => ({ tenantId, sessionId, personId, id: ids[index] ?? newId(), seenAt: now })),
    )
    .onConflictDoUpdate({
      target: [meetingQueue.tenantId, meetingQueue.sessionId, meetingQueue.personId],
      set: { seenAt: now },
    })
}

const reservationEnd = (now: Date): Date => new Date(now.getTime() + SEAT_RESERVATION_MS)

const hasSeat = (now: Date) => or(meetingPresence.present, gt(meetingPresence.seatUntil, now))

async function countSeats(tx: Tx, sessionId: string, now: Date): Promise<number> {
  const [row] = await tx
    .select({ used: count() })
    .from(meetingPresence)
    .where(and(eq(meetingPresence.sessionId, sessionId), meetingPresence.viewer, hasSeat(now)))
  return row?.used ?? 0
}

/** The number of viewers in the fullest room of the transaction's tenant now. */
export async function countViewersInFullestRoom(tx: Tx, now = new Date()): Promise<number> {
  const [row] = await tx
    .select({ used: count() })
    .from(meetingPresence)
    .where(and(meetingPresence.viewer, hasSeat(now)))
    .groupBy(meetingPresence.sessionId)
    .orderBy(desc(count()))
    .limit(1)
  return row?.used ?? 0
}

async function reserveSeats(
  tx: Tx,
  { tenantId, sessionId }: EventSessionRef,
  people: readonly string[],
  viewer: boolean,
  now: Date,
): Promise<void> {
  if (people.length === 0) return
  const seatUntil = reservationEnd(now)
  await tx
    .insert(meetingPresence)
    .values(people.map((personId) => ({ tenantId, sessionId, personId, viewer, seatUntil, at: now })))
    .onConflictDoUpdate({
      target: [meetingPresence.tenantId, meetingPresence.sessionId, meetingPresence.personId],
      set: { seatUntil, viewer },
    })
}

// Only participants who are still waiting: with an open page, or one that polled recently.
async function readQueue(tx: Tx, sessionId: string, now: Date): Promise<string[]> {
  const activeSince = new Date(now.getTime() - QUEUE_TIMEOUT_MS)
  const hasOpenStream = exists(
    tx
      .select({ id: meetingStream.id })
      .from(meetingStream)
      .where(
        and(
          eq(meetingStream.sessionId, meetingQueue.sessionId),
          eq(meetingStream.personId, meetingQueue.personId),
          isNull(meetingStream.closedAt),
          gt(meetingStream.seenAt, activeSince),
        ),
      ),
  )
  const rows = await tx
    .select({ personId: meetingQueue.personId })
    .from(meetingQueue)
    .where(and(eq(meetingQueue.sessionId, sessionId), or(gt(meetingQueue.seenAt, activeSince), hasOpenStream)))
    .orderBy(asc(meetingQueue.id))
  return rows.map(({ personId }) => personId)
}

async function findPlace(tx: Tx, { sessionId, personId }: SeatRef, now: Date): Promise<number> {
  const waiting = await readQueue(tx, sessionId, now)
  return waiting.indexOf(personId) + 1 || waiting.length + 1
}

async function publishWaitingCount(tx: Tx, sessionId: string, waiting: number, limit: number | null): Promise<void> {
  const changed = await tx
    .update(meetingRoom)
    .set({ waiting })
    .where(and(eq(meetingRoom.sessionId, sessionId), sql`${meetingRoom.waiting} <> ${waiting}`))
    .returning({ sessionId: meetingRoom.sessionId })
  if (changed.length > 0) await publish(staffChannel(sessionId), { waiting, limit })
}

/** Deletes rows of participants who left the queue long ago. */
export async function deleteOldQueueRows(tx: Tx, sessionId: string, now = new Date()): Promise<void> {
  const before = new Date(now.getTime() - QUEUE_RETENTION_MS)
  await tx.delete(meetingQueue).where(and(eq(meetingQueue.sessionId, sessionId), lt(meetingQueue.seenAt, before)))
}

const QUEUE_RETENTION_MS = HOUR_MS
