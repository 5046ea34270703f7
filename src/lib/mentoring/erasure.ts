import { eq } from 'drizzle-orm'
import type { CardSection } from '#lib/student/card/section.ts'
import { booking, bookingHold, bookingWaitlist } from './booking/table.ts'

/** What a student and the mentor wrote about the student's sessions. The sessions remain in the statistics. */
export const mentoringCardSection: CardSection = {
  key: 'mentoring',
  erase: async (tx, { studentId }) => {
    await tx.delete(bookingHold).where(eq(bookingHold.studentId, studentId))
    await tx.delete(bookingWaitlist).where(eq(bookingWaitlist.studentId, studentId))
    await tx
      .update(booking)
      .set({ answers: [], history: [], goals: [], sharedNotes: '', privateNotes: '', homework: '', ratingText: '' })
      .where(eq(booking.studentId, studentId))
  },
}
