import { eq } from 'drizzle-orm'
import type { CardSection } from '#lib/student/card/section.ts'
import { inboxTask } from './table.ts'

/** The tasks of the team about a student, whose texts contain the name. */
export const inboxCardSection: CardSection = {
  key: 'inbox',
  erase: async (tx, { studentId }) => {
    await tx.delete(inboxTask).where(eq(inboxTask.studentId, studentId))
  },
}
