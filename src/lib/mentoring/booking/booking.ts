import { and, eq, gt, inArray, sql } from 'drizzle-orm'
import { createConcurrencyLimit } from '#lib/core/concurrency-limit.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { formRefusal, Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { MINUTE_MS } from '#lib/core/shared/time.ts'
import { type ProgramRow, requireMentoringAllowed } from '../program/permission.ts'
import { listProgramMentors } from '../program/program.ts'
import { mentorProgram } from '../program/table.ts'
import { announceBooking } from './announce.ts'
import { type EnrolmentRow, lockEnrolment } from './enrolment-lock.ts'
import { canBook, canMove } from './rules.ts'
import {
  type BookingAnswer,
  type BookingState,
  type BookSession,
  HOLD_MINUTES,
  type HoldSlot,
  type MoveBooking,
} from './schema.ts'
import { releaseSession, takeSessionSeat } from './seat.ts'
import { booking, bookingHold, bookingWaitlist, mentorSession } from './table.ts'
import { notifyWaitlist } from './waitlist.ts'

interface BookedSession {
  bookingId: string
  state: BookingState
}

/**
 * Reserves a time for five minutes, in which the student answers the questions; a hold of another time ends. The same
 * `bookingId` again changes nothing. Refuses with forbidden, not_found (no access to the program), unprocessable
 * (slot_taken, no_sessions_left, too_many_open).
 */
export function holdSlot(actor: Actor, input: HoldSlot, now = new Date()): Promise<{ bookingId: string }> {
  requireMentoringAllowed(canBook(actor))
  const { programId, bookingId, mentorId, startAt } = input
  return inBookingTransaction(actor, async (tx) => {
    const { program, enrolment } = await lockEnrolment(tx, actor, programId)
    const [known] = await tx.select({ id: bookingHold.id }).from(bookingHold).where(eq(bookingHold.id, bookingId))
    const [booked] = await tx.select({ id: booking.id }).from(booking).where(eq(booking.id, bookingId))
    if (known || booked) return { bookingId }
    const [previous] = await tx.delete(bookingHold).where(eq(bookingHold.enrolmentId, enrolment.id)).returning()
    await requireBalance(tx, program, enrolment, now)
    const mentorIds = await orderMentors(tx, program, enrolment, mentorId, now)
    const seat = await takeSessionSeat(tx, { program, mentorIds, startAt, now })
    await tx.insert(bookingHold).values({
      tenantId: actor.tenantId,
      id: bookingId,
      sessionId: seat.sessionId,
      enrolmentId: enrolment.id,
      studentId: actor.membershipId,
      expiresAt: new Date(now.getTime() + HOLD_MINUTES * MINUTE_MS),
    })
    if (previous) await releaseSession(tx, previous.sessionId, now)
    return { bookingId }
  })
}

/** Ends a hold, so that others can book the time. A repeated call changes nothing. */
export function releaseHold(actor: Actor, { bookingId }: { bookingId: string }, now = new Date()): Promise<void> {
  requireMentoringAllowed(canBook(actor))
  return inTenant(actor, async (tx) => {
    const [hold] = await tx
      .delete(bookingHold)
      .where(and(eq(bookingHold.id, bookingId), eq(bookingHold.studentId, actor.membershipId)))
      .returning()
    if (hold) await releaseSession(tx, hold.sessionId, now)
  })
}

/**
 * Books the time of a hold. The same call again changes nothing. Refuses with forbidden, not_found, unprocessable
 * (hold_expired; required for an answer).
 */
export function bookSession(actor: Actor, input: BookSession, now = new Date()): Promise<BookedSession> {
  requireMentoringAllowed(canBook(actor))
  const { bookingId } = input
  return inBookingTransaction(actor, async (tx) => {
    const own = and(eq(bookingHold.id, bookingId), eq(bookingHold.studentId, actor.membershipId))
    const [found] = await tx
      .select({ programId: mentorSession.programId })
      .from(bookingHold)
      .innerJoin(
        mentorSession,
        and(eq(mentorSession.tenantId, bookingHold.tenantId), eq(mentorSession.id, bookingHold.sessionId)),
      )
      .where(own)
    // The access first, as when a time is held, so that two pages of one student cannot deadlock.
    const access = found && (await lockEnrolment(tx, actor, found.programId))
    const [hold] = access ? await tx.select().from(bookingHold).where(own).for('update') : []
    if (!access || !hold) {
      const booked = await tx
        .select({ state: booking.state })
        .from(booking)
        .where(and(eq(booking.id, bookingId), eq(booking.studentId, actor.membershipId)))
      if (booked[0]) return { bookingId, state: booked[0].state }
      throw formRefusal('hold_expired')
    }
    if (hold.expiresAt <= now) throw formRefusal('hold_expired')
    const [session] = await tx.select().from(mentorSession).where(eq(mentorSession.id, hold.sessionId))
    if (!session) throw new Refusal('not_found')
    const { program, enrolment } = access
    const answers = readAnswers(program, input.answers)
    const isConfirmed = program.confirmation === 'auto'
    await tx.insert(booking).values({
      tenantId: actor.tenantId,
      id: bookingId,
      sessionId: session.id,
      enrolmentId: enrolment.id,
      studentId: actor.membershipId,
      state: isConfirmed ? 'confirmed' : 'requested',
      answers,
      history: [{ at: now.toISOString(), action: 'booked', by: 'student', startAt: session.startAt.toISOString() }],
    })
    await tx.delete(bookingHold).where(eq(bookingHold.id, bookingId))
    const { tenantId, membershipId } = actor
    const waiting = and(
      eq(bookingWaitlist.tenantId, tenantId),
      eq(bookingWaitlist.programId, program.id),
      eq(bookingWaitlist.studentId, membershipId),
    )
    await tx.delete(bookingWaitlist).where(waiting)
    await announceBooking(tx, bookingId, isConfirmed ? 'booked' : 'requested', now)
    return { bookingId, state: isConfirmed ? 'confirmed' : 'requested' }
  })
}

/**
 * Moves a session to another time of the program, with the mentor of the session. The same time again changes nothing.
 * Refuses with forbidden, not_found, unprocessable (slot_taken; session_closed, moved_too_often, too_late_to_move).
 */
export function moveBooking(actor: Actor, input: MoveBooking, now = new Date()): Promise<{ bookingId: string }> {
  requireMentoringAllowed(canBook(actor))
  const { bookingId, startAt, reason } = input
  return inBookingTransaction(actor, async (tx) => {
    const [row] = await tx
      .select()
      .from(booking)
      .where(and(eq(booking.id, bookingId), eq(booking.studentId, actor.membershipId)))
      .for('update')
    if (!row) throw new Refusal('not_found')
    const [session] = await tx.select().from(mentorSession).where(eq(mentorSession.id, row.sessionId))
    const [program] = session
      ? await tx.select().from(mentorProgram).where(eq(mentorProgram.id, session.programId))
      : []
    if (!session || !program) throw new Refusal('not_found')
    if (session.startAt.getTime() === startAt.getTime()) return { bookingId }
    const verdict = canMove({ ...row, startAt: session.startAt }, program, now)
    if (!verdict.allow) throw formRefusal(verdict.reason)
    // The booking no longer takes the old time, which may overlap the new one.
    await tx.update(booking).set({ state: 'canceledByStudent' }).where(eq(booking.id, bookingId))
    const seat = await takeSessionSeat(tx, {
      program,
      mentorIds: [session.mentorId],
      startAt,
      now,
      leavesSessionId: session.id,
    })
    const entry = { at: now.toISOString(), action: 'moved' as const, by: 'student' as const }
    await tx
      .update(booking)
      .set({
        sessionId: seat.sessionId,
        state: program.confirmation === 'auto' ? row.state : 'requested',
        sequence: row.sequence + 1,
        movedCount: row.movedCount + 1,
        history: [...row.history, { ...entry, startAt: startAt.toISOString(), ...(reason ? { reason } : {}) }],
        updatedAt: now,
      })
      .where(eq(booking.id, bookingId))
    await releaseSession(tx, session.id, now)
    await announceBooking(tx, bookingId, 'moved', now, {
      previousStartAt: session.startAt,
      previousSessionId: session.id,
      ...(reason && { reason }),
    })
    await notifyWaitlist(tx, program, session, now)
    return { bookingId }
  })
}

// Bookings of one mentor wait for each other in the database, each with a connection of the pool. Of a school that opens
// popular times, more than a few would leave no connection to other requests, which would fail after ten seconds.
const limitBookings = createConcurrencyLimit({ limit: 4, maxWaiting: 1000 })

const inBookingTransaction = <T>(actor: Actor, run: (tx: Tx) => Promise<T>): Promise<T> =>
  limitBookings(actor.tenantId, () => inTenant(actor, run))

async function requireBalance(tx: Tx, program: ProgramRow, enrolment: EnrolmentRow, now: Date): Promise<void> {
  const [used] = await tx
    .select({
      credits: sql<number>`count(*) filter (where ${booking.usesCredit})::int`,
      open: sql<number>`(count(*) filter (where ${inArray(booking.state, ['requested', 'confirmed'])} and ${gt(mentorSession.endAt, now)}))::int`,
    })
    .from(booking)
    .innerJoin(
      mentorSession,
      and(eq(mentorSession.tenantId, booking.tenantId), eq(mentorSession.id, booking.sessionId)),
    )
    .where(eq(booking.enrolmentId, enrolment.id))
  if (enrolment.sessionsTotal !== null && (used?.credits ?? 0) >= enrolment.sessionsTotal) {
    throw formRefusal('no_sessions_left')
  }
  if ((used?.open ?? 0) >= program.perStudentOpenMax) {
    throw formRefusal('too_many_open')
  }
}

/** The mentors who may have the session: the chosen one, the fixed one, or all, those with the fewest sessions first. */
async function orderMentors(
  tx: Tx,
  program: ProgramRow,
  enrolment: EnrolmentRow,
  chosenId: string | null,
  now: Date,
): Promise<string[]> {
  const mentors = (await listProgramMentors(tx, program.id)).map(({ memberId }) => memberId)
  if (program.assignment === 'fixed') {
    if (!enrolment.mentorId || !mentors.includes(enrolment.mentorId)) {
      throw formRefusal('mentor_missing')
    }
    return [enrolment.mentorId]
  }
  if (program.assignment === 'studentChooses') {
    if (!chosenId || !mentors.includes(chosenId)) throw new Refusal('not_found')
    return [chosenId]
  }
  const { rows } = await tx.execute<{ mentorId: string; sessions: number }>(sql`
    select mentor_id as "mentorId", count(*)::int as sessions from mentor_session
    where tenant_id = current_tenant() and program_id = ${program.id} and released_at is null
      and start_at > ${now.toISOString()}::timestamptz - interval '30 days' group by mentor_id`)
  const sessionCounts = new Map(rows.map(({ mentorId, sessions }) => [mentorId, sessions]))
  return mentors.toSorted((a, b) => (sessionCounts.get(a) ?? 0) - (sessionCounts.get(b) ?? 0))
}

function readAnswers({ questions }: ProgramRow, answers: Record<string, string>): BookingAnswer[] {
  const fields: Record<string, string[]> = {}
  for (const { id, required } of questions) {
    if (required && !answers[id]) fields[`answer-${id}`] = ['required']
  }
  if (Object.keys(fields).length > 0) throw new Refusal('unprocessable', { fields })
  return questions.flatMap(({ id, label }) => (answers[id] ? [{ label, answer: answers[id] }] : []))
}
