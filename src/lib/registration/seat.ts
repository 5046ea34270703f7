import { and, asc, eq, gt, isNull, or, type SQL, sql } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { writeLetters } from './email/send.ts'
import { type EventRow, sessionKey } from './event.ts'
import { freeSeats, offerEnd, type Seats } from './rules.ts'
import { registration } from './table.ts'

/** Registrations of this event, and of this showing of an auto-webinar. */
export function ofEvent(event: Pick<EventRow, 'id' | 'type' | 'sessionId'>): SQL | undefined {
  const session = sessionKey(event)
  return and(
    eq(registration.workshopId, event.id),
    session ? eq(registration.sessionId, session) : isNull(registration.sessionId),
  )
}

/** Holds the seats of an event until the transaction ends: of two people who want the last one, one gets it. */
export async function lockSeats(tx: Tx, event: EventRow): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`seats/${event.id}/${sessionKey(event)}`}, 0))`)
}

/** Seats and how many of them are taken: confirmed, or offered to somebody at this moment. */
export async function seatsOf(tx: Tx, event: EventRow, seats: number | null, now: Date): Promise<Seats> {
  if (seats === null) return { seats, taken: 0 }
  const { rows } = await tx.execute<{ taken: number }>(
    sql`select count(*)::int as taken from ${registration} where ${ofEvent(event)} and ${takes(now)}`,
  )
  return { seats, taken: rows[0]?.taken ?? 0 }
}

const takes = (now: Date) =>
  or(eq(registration.state, 'confirmed'), and(eq(registration.state, 'waitlisted'), gt(registration.offeredUntil, now)))

/**
 * Offers the seats that are free to the first on the waiting list, each by a letter. Safe to call at any time and by
 * several at once. Gives how many were offered.
 */
export async function offerSeats(tx: Tx, event: EventRow, seats: number | null, now: Date): Promise<number> {
  const until = offerEnd(now, event.startAt)
  if (!until || !event.published || event.canceled || event.startedAt) return 0
  await lockSeats(tx, event)
  const free = freeSeats(await seatsOf(tx, event, seats, now))
  if (free === 0) return 0
  const first = tx
    .select({ id: registration.id })
    .from(registration)
    .where(and(ofEvent(event), eq(registration.state, 'waitlisted'), isNull(registration.offeredUntil)))
    .orderBy(asc(registration.createdAt), asc(registration.id))
    .limit(free ?? 1000)
  const offered = await tx
    .update(registration)
    .set({ offeredUntil: until, updatedAt: now })
    .where(sql`${registration.id} in (${first})`)
    .returning()
  await writeLetters(tx, event, offered, 'offer', now)
  return offered.length
}
