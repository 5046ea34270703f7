import { and, eq, sql } from 'drizzle-orm'
import { requirePlan } from '#lib/billing/billing.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { formRefusal, Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { hasRole } from '#lib/core/shared/role.ts'
import { isActingAs } from '#lib/team/deputy.ts'
import { type ProgramRow, requireMentoringAllowed } from '../program/permission.ts'
import { mentorProgram } from '../program/table.ts'
import { announceBooking } from './announce.ts'
import { type BookingRelation, canRunSession, canSeeBooking, isOpen, nextBookingState, usesCredit } from './rules.ts'
import type { AnswerBooking, BookingEntry, BookingState, CancelBooking } from './schema.ts'
import { releaseSession } from './seat.ts'
import { booking, mentorSession } from './table.ts'
import { notifyWaitlist } from './waitlist.ts'

export interface LockedBooking {
  row: typeof booking.$inferSelect
  session: typeof mentorSession.$inferSelect
  program: ProgramRow
  relation: BookingRelation
}

/** A booking that the actor may see, locked until the transaction ends. Refuses with not_found. */
export const lockBooking = (tx: Tx, actor: Actor, bookingId: string): Promise<LockedBooking> =>
  loadBooking(tx, actor, bookingId, { isLocked: true })

/** A booking that the actor may see. Refuses with not_found. */
export const findBooking = (tx: Tx, actor: Actor, bookingId: string): Promise<LockedBooking> =>
  loadBooking(tx, actor, bookingId, { isLocked: false })

async function loadBooking(
  tx: Tx,
  actor: Actor,
  bookingId: string,
  { isLocked }: { isLocked: boolean },
): Promise<LockedBooking> {
  const query = tx
    .select({
      row: booking,
      session: mentorSession,
      program: mentorProgram,
      isActing: sql<boolean>`${isActingAs(mentorSession.mentorId, actor.membershipId)}`,
    })
    .from(booking)
    .innerJoin(
      mentorSession,
      and(eq(mentorSession.tenantId, booking.tenantId), eq(mentorSession.id, booking.sessionId)),
    )
    .innerJoin(
      mentorProgram,
      and(eq(mentorProgram.tenantId, mentorSession.tenantId), eq(mentorProgram.id, mentorSession.programId)),
    )
    .where(eq(booking.id, bookingId))
  const [found] = await (isLocked ? query.for('update', { of: booking }) : query)
  if (!found) throw new Refusal('not_found')
  const { isActing, ...locked } = found
  const isMentor = found.session.mentorId === actor.membershipId
  const relation = {
    isOwn: found.row.studentId === actor.membershipId,
    isMentor,
    isDeputy: isActing && !isMentor,
  }
  // The existence of another person's booking is not revealed.
  if (!canSeeBooking(actor, relation).allow) throw new Refusal('not_found')
  return { ...locked, relation }
}

/**
 * Confirms a requested session, or states after it how it ended. The same action again changes nothing. Refuses with
 * forbidden, plan_inactive, not_found, conflict (not allowed in this state), unprocessable (session_not_begun).
 */
export function answerBooking(
  actor: Actor,
  { bookingId, action }: AnswerBooking,
  now = new Date(),
): Promise<{ state: BookingState }> {
  requirePlan(actor, 'lms')
  return inTenant(actor, async (tx) => {
    const { row, session, program, relation } = await lockBooking(tx, actor, bookingId)
    requireMentoringAllowed(canRunSession(actor, relation))
    const target = action === 'confirm' ? 'confirmed' : action === 'complete' ? 'completed' : action
    if (row.state === target) return { state: target }
    const state = nextBookingState(row.state, action)
    if (!state) throw new Refusal('conflict')
    if (action !== 'confirm' && session.startAt > now) {
      throw formRefusal('session_not_begun')
    }
    const counts = usesCredit(state, { wasConfirmed: true, startAt: session.startAt, ...program }, now)
    const entry = action === 'confirm' ? 'confirmed' : action === 'complete' ? 'completed' : 'noShow'
    await update(tx, row, { state, usesCredit: counts }, { action: entry, by: 'mentor' }, now)
    if (action === 'confirm') await announceBooking(tx, bookingId, 'confirmed', now)
    return { state }
  })
}

/**
 * Cancels a session, by its student or by the school. The session is returned to the student's balance unless the student
 * cancels a confirmed one later than the program allows. A canceled one stays as it is. Refuses with forbidden,
 * plan_inactive, not_found, conflict (it has taken place).
 */
export function cancelBooking(
  actor: Actor,
  { bookingId, reason }: CancelBooking,
  now = new Date(),
): Promise<{ usesCredit: boolean }> {
  const by = hasRole(actor, ['STUDENT']) ? ('student' as const) : ('mentor' as const)
  if (by === 'mentor') requirePlan(actor, 'lms')
  return inTenant(actor, async (tx) => {
    const { row, session, program } = await lockBooking(tx, actor, bookingId)
    if (row.state === 'canceledByMentor' || row.state === 'canceledByStudent') return { usesCredit: row.usesCredit }
    // Afterwards a session has taken place or was missed.
    if (!isOpen(row.state) || session.endAt <= now) throw new Refusal('conflict')
    const state = by === 'student' ? 'canceledByStudent' : 'canceledByMentor'
    const wasConfirmed = row.state === 'confirmed'
    const counts = usesCredit(state, { wasConfirmed, startAt: session.startAt, ...program }, now)
    const change = { state, usesCredit: counts, sequence: row.sequence + 1 } as const
    await update(tx, row, change, { action: 'canceled', by, reason }, now)
    await releaseSession(tx, session.id, now)
    await announceBooking(tx, bookingId, 'canceled', now, { reason, by })
    await notifyWaitlist(tx, program, session, now)
    return { usesCredit: counts }
  })
}

async function update(
  tx: Tx,
  row: LockedBooking['row'],
  change: Partial<LockedBooking['row']>,
  entry: Omit<BookingEntry, 'at'>,
  now: Date,
): Promise<void> {
  const history = [...row.history, { ...entry, at: now.toISOString() }]
  await tx
    .update(booking)
    .set({ ...change, history, updatedAt: now })
    .where(eq(booking.id, row.id))
}
