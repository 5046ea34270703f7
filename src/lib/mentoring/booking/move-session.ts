import { and, eq, inArray, sql } from 'drizzle-orm'
import { requirePlan } from '#lib/billing/billing.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { requireMentoringAllowed } from '../program/permission.ts'
import { announceBookings } from './announce.ts'
import { type LockedBooking, lockBooking } from './answer.ts'
import { canRunSession, isOpen } from './rules.ts'
import type { BookingEntry, MoveSession } from './schema.ts'
import { lockMentor } from './seat.ts'
import { booking, mentorSession } from './table.ts'
import { notifyWaitlist } from './waitlist.ts'

/**
 * Moves a session to any free time of its mentor, also outside of the hours, with all its students, who get an email
 * with the reason. The same time again changes nothing. Refuses with forbidden, plan_inactive, not_found, conflict (it
 * has taken place or was canceled), unprocessable (workshop_start_past, slot_taken).
 */
export function moveSession(
  actor: Actor,
  { bookingId, startAt, reason }: MoveSession,
  now = new Date(),
): Promise<{ bookingId: string }> {
  requirePlan(actor, 'lms')
  return inTenant(actor, async (tx) => {
    const found = await lockBooking(tx, actor, bookingId)
    const { row, session, program, relation } = found
    requireMentoringAllowed(canRunSession(actor, relation))
    if (session.startAt.getTime() === startAt.getTime()) return { bookingId }
    if (!isOpen(row.state) || session.endAt <= now) throw new Refusal('conflict')
    if (startAt <= now) throw new Refusal('unprocessable', { fields: { startAt: ['workshop_start_past'] } })
    await lockMentor(tx, session.mentorId)
    await setTimes(tx, found, startAt)
    const at = now.toISOString()
    const entry: BookingEntry = { at, action: 'moved', by: 'mentor', startAt: startAt.toISOString(), reason }
    const moved = await tx
      .update(booking)
      .set({
        sequence: sql`${booking.sequence} + 1`,
        history: sql`${booking.history} || ${JSON.stringify([entry])}::jsonb`,
        updatedAt: now,
      })
      .where(and(eq(booking.sessionId, session.id), inArray(booking.state, ['requested', 'confirmed'])))
      .returning({ id: booking.id })
    const details = { previousStartAt: session.startAt, reason, by: 'mentor' as const }
    const changes = moved.map(({ id }) => ({ bookingId: id, change: 'moved' as const }))
    await announceBookings(tx, changes, now, details)
    await notifyWaitlist(tx, program, session, now)
    return { bookingId }
  })
}

/** Moves the taken time with its buffers. Refuses with unprocessable (slot_taken) when it would overlap another one. */
async function setTimes(tx: Tx, { session }: LockedBooking, startAt: Date): Promise<void> {
  const shiftMs = startAt.getTime() - session.startAt.getTime()
  const later = (at: Date) => new Date(at.getTime() + shiftMs)
  const [busyFrom, busyTo] = [later(session.busyFrom), later(session.busyTo)]
  const { rows } = await tx.execute(sql`select 1 from mentor_session where tenant_id = current_tenant()
    and mentor_id = ${session.mentorId} and id <> ${session.id} and released_at is null
    and busy_from < ${busyTo.toISOString()}::timestamptz and busy_to > ${busyFrom.toISOString()}::timestamptz limit 1`)
  if (rows.length > 0) throw new Refusal('unprocessable', { fields: { startAt: ['slot_taken'] } })
  await tx
    .update(mentorSession)
    .set({ startAt, endAt: later(session.endAt), busyFrom, busyTo })
    .where(eq(mentorSession.id, session.id))
}
