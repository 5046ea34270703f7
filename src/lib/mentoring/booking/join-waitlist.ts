import { and, eq } from 'drizzle-orm'
import { inTenant } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { DAY_MS } from '#lib/core/shared/time.ts'
import { requireMentoringAllowed } from '../program/permission.ts'
import { mentorProgram } from '../program/table.ts'
import { lockEnrolment } from './enrolment-lock.ts'
import { canBook } from './rules.ts'
import type { JoinWaitlist } from './schema.ts'
import { bookingWaitlist } from './table.ts'

/**
 * Puts the student on the waitlist of a program, for any time or for a period; a repeated call replaces the period.
 * Refuses with forbidden, not_found, unprocessable (the period has passed, or is later than sessions can be booked).
 */
export function joinWaitlist(
  actor: Actor,
  { programId, wantedFrom, wantedTo }: JoinWaitlist,
  now = new Date(),
): Promise<void> {
  requireMentoringAllowed(canBook(actor))
  return inTenant(actor, async (tx) => {
    const { program } = await lockEnrolment(tx, actor, programId)
    if (wantedTo && wantedTo <= now) throw dayRefusal('workshop_start_past')
    const latest = now.getTime() + program.maxDaysAhead * DAY_MS
    if (wantedFrom && wantedFrom.getTime() > latest) throw dayRefusal('waitlist_too_far')
    await tx
      .insert(bookingWaitlist)
      .values({ tenantId: actor.tenantId, programId, studentId: actor.membershipId, wantedFrom, wantedTo })
      .onConflictDoUpdate({
        target: [bookingWaitlist.tenantId, bookingWaitlist.programId, bookingWaitlist.studentId],
        set: { notifiedAt: null, wantedFrom, wantedTo },
      })
  })
}

/** Takes the student off the waitlist of a program; a repeated call changes nothing. Refuses with forbidden, not_found. */
export function leaveWaitlist(actor: Actor, { programId }: { programId: string }): Promise<void> {
  requireMentoringAllowed(canBook(actor))
  return inTenant(actor, async (tx) => {
    const found = await tx.select({ id: mentorProgram.id }).from(mentorProgram).where(eq(mentorProgram.id, programId))
    if (found.length === 0) throw new Refusal('not_found')
    await tx
      .delete(bookingWaitlist)
      .where(and(eq(bookingWaitlist.programId, programId), eq(bookingWaitlist.studentId, actor.membershipId)))
  })
}

const dayRefusal = (key: string): Refusal => new Refusal('unprocessable', { fields: { wantedDay: [key] } })
