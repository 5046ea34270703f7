import { eq } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { booking, bookingHold, bookingWaitlist } from './booking/table.ts'

/** Removes what a student and the mentor wrote about the student's sessions. The sessions remain in the statistics. */
export async function eraseBookings(tx: Tx, studentId: string): Promise<void> {
  await tx.delete(bookingHold).where(eq(bookingHold.studentId, studentId))
  await tx.delete(bookingWaitlist).where(eq(bookingWaitlist.studentId, studentId))
  await tx
    .update(booking)
    .set({ answers: [], history: [], goals: [], sharedNotes: '', privateNotes: '', homework: '', ratingText: '' })
    .where(eq(booking.studentId, studentId))
}
