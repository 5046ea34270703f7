import { and, asc, eq, gt, isNull, or, type SQL, sql } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { lockUntilCommit } from '#lib/core/db/locks.ts'
import { sendEmails } from './email/send.ts'
import { type RegistrationEvent, registrationSessionId } from './event.ts'
import { freeSeats, offerEnd, type Seats } from './rules.ts'
import { registration } from './table.ts'

/** Condition: registrations of this event, and of this session of an auto-webinar. */
export function isOfEvent(event: Pick<RegistrationEvent, 'id' | 'type' | 'sessionId'>): SQL | undefined {
  const session = registrationSessionId(event)
  return and(
    eq(registration.workshopId, event.id),
    session ? eq(registration.sessionId, session) : isNull(registration.sessionId),
  )
}

/**
 * Locks the seats of an event until the end of the transaction: of two simultaneous requests one gets the last seat.
 */
export async function lockEventSeats(tx: Tx, event: RegistrationEvent): Promise<void> {
  await lockUntilCommit(tx, 'seats', `${event.id}/${registrationSessionId(event)}`)
}

/** Capacity and taken seats: confirmed, or currently offered. */
export async function countSeats(tx: Tx, event: RegistrationEvent, seats: number | null, now: Date): Promise<Seats> {
  if (seats === null) return { capacity: seats, takenCount: 0 }
  const { rows } = await tx.execute<{ taken_count: number }>(
    sql`select count(*)::int as taken_count from ${registration} where ${isOfEvent(event)} and ${isTaken(now)}`,
  )
  return { capacity: seats, takenCount: rows[0]?.taken_count ?? 0 }
}

const isTaken = (now: Date) =>
  or(eq(registration.state, 'confirmed'), and(eq(registration.state, 'waitlisted'), gt(registration.offeredUntil, now)))

/**
 * Offers free seats to the first on the waiting list, each by email. Idempotent and safe under concurrency. Returns how
 * many.
 */
export async function offerSeats(tx: Tx, event: RegistrationEvent, seats: number | null, now: Date): Promise<number> {
  const offeredUntil = offerEnd(now, event.startAt)
  if (!offeredUntil || !event.isPublished || event.isCanceled || event.startedAt) return 0
  await lockEventSeats(tx, event)
  const free = freeSeats(await countSeats(tx, event, seats, now))
  if (free === 0) return 0
  const nextWaiting = tx
    .select({ id: registration.id })
    .from(registration)
    .where(and(isOfEvent(event), eq(registration.state, 'waitlisted'), isNull(registration.offeredUntil)))
    .orderBy(asc(registration.createdAt), asc(registration.id))
    .limit(free ?? 1000)
  const offered = await tx
    .update(registration)
    .set({ offeredUntil: offeredUntil, updatedAt: now })
    .where(sql`${registration.id} in (${nextWaiting})`)
    .returning()
  await sendEmails(tx, event, offered, 'offer', now, { isFollowUp: true })
  return offered.length
}
