import { and, asc, count, eq, exists, gt, inArray, isNull, lt, or, sql } from 'drizzle-orm'
import { getTenantPlans } from '#lib/billing/billing.ts'
import { limitOf } from '#lib/billing/plans.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { publish } from '#lib/core/live/live.ts'
import type { RoomRole } from '#lib/core/shared/event/live-event.ts'
import { workshopParticipant } from '#lib/workshop/session/event-table.ts'
import { workshop } from '#lib/workshop/table.ts'
import type { EventSessionRef } from '../publish-events.ts'
import { personChannel, staffChannel } from '../room-rules.ts'
import type { PlaceView, Seat } from '../room-schema.ts'
import { meetingPresence, meetingQueue, meetingRoom, meetingStream } from '../table.ts'
import { type SeatRef, verifySeatToken } from './seat.ts'

/** A seat is kept so long for who is coming in. */
const SEAT_RESERVATION_MS = 60_000
/** Who was not heard of for so long has gone from the queue. */
const QUEUE_TIMEOUT_MS = 45_000
/** So many at the front of the queue are told when their place changes. */
const NOTIFIED_PLACES = 50

/** Locks who comes and goes in a session; its log is locked after this, never before. */
export async function lockRoomRow(tx: Tx, { tenantId, sessionId }: EventSessionRef) {
  const lock = () => tx.select().from(meetingRoom).where(eq(meetingRoom.sessionId, sessionId)).for('update')
  const [known] = await lock()
  if (known) return known
  await tx.insert(meetingRoom).values({ tenantId, sessionId }).onConflictDoNothing()
  const [room] = await lock()
  if (!room) throw new Refusal('not_found')
  return room
}

/** Somebody who comes for a seat; the plan counts viewers only. */
export interface SeatRequest {
  personId: string
  role: RoomRole
}

/** Keeps the seat that somebody has a while longer, without a lock of the room; false when they have none. */
export async function extendReservation(tx: Tx, { sessionId, personId }: SeatRef, now = new Date()): Promise<boolean> {
  const kept = await tx
    .update(meetingPresence)
    .set({ seatUntil: reservationEnd(now) })
    .where(and(eq(meetingPresence.sessionId, sessionId), eq(meetingPresence.personId, personId), hasSeat(now)))
    .returning({ personId: meetingPresence.personId })
  return kept.length > 0
}

/** The same as `takeSeats` for one person: null when they have a seat. */
export async function takeSeat(tx: Tx, seat: SeatRef, role: RoomRole, now = new Date()) {
  const [place = null] = await takeSeats(tx, seat, [{ personId: seat.personId, role }], now)
  return place
}

/**
 * Takes or keeps seats of a locked room for people, the first come first; for each null when they have one, otherwise
 * their place in the queue.
 */
export async function takeSeats(
  tx: Tx,
  of: EventSessionRef,
  people: readonly SeatRequest[],
  now = new Date(),
): Promise<({ place: number } | null)[]> {
  const viewers = people.filter(({ role }) => role === 'viewer').map(({ personId }) => personId)
  const staff = new Set(people.filter(({ role }) => role !== 'viewer').map(({ personId }) => personId))
  const sitting = await findSeated(tx, of, viewers, now)
  await reserveSeats(tx, of, [...staff], false, now)
  await reserveSeats(tx, of, [...sitting], true, now)
  const seeking = [...new Set(viewers)].filter((personId) => !sitting.has(personId))
  if (seeking.length === 0) return people.map(() => null)
  const direct = await reserveFreeSeats(tx, of, seeking, now)
  const late = seeking.slice(direct)
  if (late.length === 0) return people.map(() => null)
  await joinQueue(tx, of, late, now)
  const admitted = new Set(await admitFromQueue(tx, of, now))
  const waiting = await readQueue(tx, of.sessionId, now)
  const queued = new Set(late.filter((personId) => !admitted.has(personId)))
  return people.map(({ personId }) =>
    queued.has(personId) ? { place: waiting.indexOf(personId) + 1 || waiting.length + 1 } : null,
  )
}

/**
 * Gives free seats of a locked room to those at the front of the queue and tells them, the others their new places, and
 * the staff how many wait. Gives who was admitted.
 */
export async function admitFromQueue(tx: Tx, of: EventSessionRef, now = new Date()): Promise<string[]> {
  const { sessionId } = of
  const { limit, free } = await countFreeSeats(tx, sessionId, now)
  const waiting = await readQueue(tx, sessionId, now)
  const admitted = waiting.slice(0, Math.max(0, free))
  if (admitted.length > 0) {
    await reserveSeats(tx, of, admitted, true, now)
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

/** How many viewers the school's plan allows in a room; null for any number. */
export const viewerLimit = async (tx: Tx, now: Date): Promise<number | null> =>
  limitOf(await getTenantPlans(tx), 'viewer_count', now)

/** Seats of a room by the plan's limit of viewers: a tenth more come in before the others queue. */
export const seatsFor = (limit: number): number => limit + Math.floor(limit / 10)

/** How many stand in the queue. */
export async function countQueue(tx: Tx, sessionId: string, now = new Date()): Promise<number> {
  return (await readQueue(tx, sessionId, now)).length
}

/**
 * The place of a ticket's holder in the queue, who is there still. `admitted` when they may come in. Refuses with
 * unauthorized, and forbidden for who was shown the door.
 */
export async function getQueuePlace({ ticket }: Seat, now = new Date()): Promise<PlaceView> {
  const seat = verifySeatToken(ticket, now)
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
    if (person.bannedAt) throw new Refusal('forbidden', { data: { because: 'banned' } })
    const { workshopId, title } = person
    await lockRoomRow(tx, seat)
    const stands = await tx
      .update(meetingQueue)
      .set({ seenAt: now })
      .where(and(eq(meetingQueue.sessionId, seat.sessionId), eq(meetingQueue.personId, seat.personId)))
      .returning({ id: meetingQueue.id })
    if (stands.length === 0) return { place: 0, admitted: true, workshopId, title }
    const admitted = await admitFromQueue(tx, seat, now)
    if (admitted.includes(seat.personId)) return { place: 0, admitted: true, workshopId, title }
    return { place: await findPlace(tx, seat, now), admitted: false, workshopId, title }
  })
}

/** Who of these people has a seat. */
async function findSeated(
  tx: Tx,
  { sessionId }: EventSessionRef,
  people: readonly string[],
  now: Date,
): Promise<Set<string>> {
  if (people.length === 0) return new Set()
  const { personId } = meetingPresence
  const found = await tx
    .select({ personId })
    .from(meetingPresence)
    .where(and(eq(meetingPresence.sessionId, sessionId), inArray(personId, [...people]), hasSeat(now)))
  return new Set(found.map((one) => one.personId))
}

/** Seats as many as there is room for, if nobody has waited longer; gives how many. */
async function reserveFreeSeats(tx: Tx, of: EventSessionRef, people: readonly string[], now: Date): Promise<number> {
  if ((await readQueue(tx, of.sessionId, now)).length > 0) return 0
  const { free } = await countFreeSeats(tx, of.sessionId, now)
  const first = people.slice(0, Math.max(0, free))
  await reserveSeats(tx, of, first, true, now)
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
  // The queue goes by these, also within one millisecond.
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
    .select({ taken: count() })
    .from(meetingPresence)
    .where(and(eq(meetingPresence.sessionId, sessionId), meetingPresence.viewer, hasSeat(now)))
  return row?.taken ?? 0
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

// Those alone who are there still: their page is open, or was asked for a moment ago.
async function readQueue(tx: Tx, sessionId: string, now: Date): Promise<string[]> {
  const gone = new Date(now.getTime() - QUEUE_TIMEOUT_MS)
  const hears = exists(
    tx
      .select({ id: meetingStream.id })
      .from(meetingStream)
      .where(
        and(
          eq(meetingStream.sessionId, meetingQueue.sessionId),
          eq(meetingStream.personId, meetingQueue.personId),
          isNull(meetingStream.closedAt),
          gt(meetingStream.seenAt, gone),
        ),
      ),
  )
  const rows = await tx
    .select({ personId: meetingQueue.personId })
    .from(meetingQueue)
    .where(and(eq(meetingQueue.sessionId, sessionId), or(gt(meetingQueue.seenAt, gone), hears)))
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

/** Forgets who left the queue long ago. */
export async function deleteOldQueueRows(tx: Tx, sessionId: string, now = new Date()): Promise<void> {
  const before = new Date(now.getTime() - QUEUE_RETENTION_MS)
  await tx.delete(meetingQueue).where(and(eq(meetingQueue.sessionId, sessionId), lt(meetingQueue.seenAt, before)))
}

const QUEUE_RETENTION_MS = 3_600_000
