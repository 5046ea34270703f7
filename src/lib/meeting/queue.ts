import { and, asc, count, eq, exists, gt, inArray, isNull, lt, or, sql } from 'drizzle-orm'
import { limitOf, schoolPlans } from '#lib/billing/billing.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { publish } from '#lib/core/live/live.ts'
import type { RoomRole } from '#lib/core/shared/live-event.ts'
import { workshopParticipant } from '#lib/workshop/event-table.ts'
import { workshop } from '#lib/workshop/table.ts'
import { personChannel, staffChannel } from './room-rules.ts'
import type { PlaceView, Seat } from './room-schema.ts'
import type { SessionOf } from './say.ts'
import { type SeatRef, seatOf } from './seat.ts'
import { meetingPresence, meetingQueue, meetingRoom, meetingStream } from './table.ts'

/** A seat is kept so long for who is coming in. */
const KEPT_MS = 60_000
/** Who was not heard of for so long has gone from the queue. */
const GONE_MS = 45_000
/** So many at the front of the queue are told when their place changes. */
const TOLD = 50

/** Locks who comes and goes in a session; its log is locked after this, never before. */
export async function lockRoom(tx: Tx, { tenantId, sessionId }: SessionOf) {
  await tx.insert(meetingRoom).values({ tenantId, sessionId }).onConflictDoNothing()
  const [room] = await tx.select().from(meetingRoom).where(eq(meetingRoom.sessionId, sessionId)).for('update')
  if (!room) throw new Refusal('not_found')
  return room
}

/**
 * Takes or keeps a seat of a locked room for somebody; null when they have one, otherwise their place in the queue.
 * The plan counts viewers only.
 */
export async function takeSeat(
  tx: Tx,
  seat: SeatRef,
  role: RoomRole,
  now = new Date(),
): Promise<{ place: number } | null> {
  const { tenantId, sessionId, personId } = seat
  if (role !== 'viewer' || (await hasSeat(tx, seat, now))) {
    await keepSeats(tx, seat, [personId], role === 'viewer', now)
    return null
  }
  await tx
    .insert(meetingQueue)
    .values({ tenantId, sessionId, personId, id: newId(), seenAt: now })
    .onConflictDoUpdate({
      target: [meetingQueue.tenantId, meetingQueue.sessionId, meetingQueue.personId],
      set: { seenAt: now },
    })
  const admitted = await admit(tx, seat, now)
  return admitted.includes(personId) ? null : { place: await placeOf(tx, seat, now) }
}

/**
 * Gives free seats of a locked room to those at the front of the queue and tells them, the others their new places, and
 * the staff how many wait. Gives who was admitted.
 */
export async function admit(tx: Tx, of: SessionOf, now = new Date()): Promise<string[]> {
  const { sessionId } = of
  const limit = await viewerLimit(tx, now)
  const free = limit === null ? Number.MAX_SAFE_INTEGER : limit - (await countSeats(tx, sessionId, now))
  const waiting = await queueOf(tx, sessionId, now)
  const admitted = waiting.slice(0, Math.max(0, free))
  if (admitted.length > 0) {
    await keepSeats(tx, of, admitted, true, now)
    await tx
      .delete(meetingQueue)
      .where(and(eq(meetingQueue.sessionId, sessionId), inArray(meetingQueue.personId, admitted)))
    for (const personId of admitted) await publish(personChannel(personId), { admitted: true })
    for (const [index, personId] of waiting.slice(admitted.length, admitted.length + TOLD).entries())
      await publish(personChannel(personId), { place: index + 1 })
  }
  await tellWaiting(tx, sessionId, waiting.length - admitted.length, limit)
  return admitted
}

/** How many viewers the school's plan allows in a room; null for any number. */
export const viewerLimit = async (tx: Tx, now: Date): Promise<number | null> =>
  limitOf(await schoolPlans(tx), 'viewer_count', now)

/** How many stand in the queue. */
export async function countQueue(tx: Tx, sessionId: string, now = new Date()): Promise<number> {
  return (await queueOf(tx, sessionId, now)).length
}

/**
 * The place of a ticket's holder in the queue, who is there still. `admitted` when they may come in. Refuses with
 * unauthorized, and forbidden for who was shown the door.
 */
export async function getPlace({ ticket }: Seat, now = new Date()): Promise<PlaceView> {
  const seat = seatOf(ticket, now)
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
    await lockRoom(tx, seat)
    const stands = await tx
      .update(meetingQueue)
      .set({ seenAt: now })
      .where(and(eq(meetingQueue.sessionId, seat.sessionId), eq(meetingQueue.personId, seat.personId)))
      .returning({ id: meetingQueue.id })
    if (stands.length === 0) return { place: 0, admitted: true, workshopId, title }
    const admitted = await admit(tx, seat, now)
    if (admitted.includes(seat.personId)) return { place: 0, admitted: true, workshopId, title }
    return { place: await placeOf(tx, seat, now), admitted: false, workshopId, title }
  })
}

async function hasSeat(tx: Tx, { sessionId, personId }: SeatRef, now: Date): Promise<boolean> {
  const found = await tx
    .select({ personId: meetingPresence.personId })
    .from(meetingPresence)
    .where(and(eq(meetingPresence.sessionId, sessionId), eq(meetingPresence.personId, personId), seated(now)))
  return found.length > 0
}

const seated = (now: Date) => or(meetingPresence.present, gt(meetingPresence.seatUntil, now))

async function countSeats(tx: Tx, sessionId: string, now: Date): Promise<number> {
  const [row] = await tx
    .select({ taken: count() })
    .from(meetingPresence)
    .where(and(eq(meetingPresence.sessionId, sessionId), meetingPresence.viewer, seated(now)))
  return row?.taken ?? 0
}

async function keepSeats(
  tx: Tx,
  { tenantId, sessionId }: SessionOf,
  people: readonly string[],
  viewer: boolean,
  now: Date,
): Promise<void> {
  const seatUntil = new Date(now.getTime() + KEPT_MS)
  await tx
    .insert(meetingPresence)
    .values(people.map((personId) => ({ tenantId, sessionId, personId, viewer, seatUntil, at: now })))
    .onConflictDoUpdate({
      target: [meetingPresence.tenantId, meetingPresence.sessionId, meetingPresence.personId],
      set: { seatUntil, viewer },
    })
}

// Those alone who are there still: their page is open, or was asked for a moment ago.
async function queueOf(tx: Tx, sessionId: string, now: Date): Promise<string[]> {
  const gone = new Date(now.getTime() - GONE_MS)
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

async function placeOf(tx: Tx, { sessionId, personId }: SeatRef, now: Date): Promise<number> {
  const waiting = await queueOf(tx, sessionId, now)
  return waiting.indexOf(personId) + 1 || waiting.length + 1
}

async function tellWaiting(tx: Tx, sessionId: string, waiting: number, limit: number | null): Promise<void> {
  const changed = await tx
    .update(meetingRoom)
    .set({ waiting })
    .where(and(eq(meetingRoom.sessionId, sessionId), sql`${meetingRoom.waiting} <> ${waiting}`))
    .returning({ sessionId: meetingRoom.sessionId })
  if (changed.length > 0) await publish(staffChannel(sessionId), { waiting, limit })
}

/** Forgets who left the queue long ago. */
export async function sweepQueue(tx: Tx, sessionId: string, now = new Date()): Promise<void> {
  const before = new Date(now.getTime() - HOUR)
  await tx.delete(meetingQueue).where(and(eq(meetingQueue.sessionId, sessionId), lt(meetingQueue.seenAt, before)))
}

const HOUR = 3_600_000
