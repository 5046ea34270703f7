import { eq } from 'drizzle-orm'
import type { CardSection } from '#lib/student/card/section.ts'
import { scheduleFeedItem, scheduleNote, scheduleReader } from './table.ts'

/** The data of the schedule about a student: notes, settings and the calendar feed. */
export const scheduleCardSection: CardSection = {
  key: 'schedule',
  erase: async (tx, { studentId }) => {
    await tx.delete(scheduleFeedItem).where(eq(scheduleFeedItem.memberId, studentId))
    await tx.delete(scheduleReader).where(eq(scheduleReader.memberId, studentId))
    await tx.delete(scheduleNote).where(eq(scheduleNote.memberId, studentId))
  },
}
