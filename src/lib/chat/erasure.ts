import { and, eq, exists, sql } from 'drizzle-orm'
import type { CardSection } from '#lib/student/card/section.ts'
import { chatMessage, chatMessageEdit } from './table.ts'

/** The texts of a student in conversations. The messages remain as deleted ones, so that answers keep their context. */
export const chatCardSection: CardSection = {
  key: 'chat',
  erase: async (tx, { studentId }) => {
    const isOfStudent = tx
      .select({ id: chatMessage.id })
      .from(chatMessage)
      .where(
        and(
          eq(chatMessage.conversationId, chatMessageEdit.conversationId),
          eq(chatMessage.seq, chatMessageEdit.seq),
          eq(chatMessage.authorId, studentId),
        ),
      )
    await tx.delete(chatMessageEdit).where(exists(isOfStudent))
    await tx
      .update(chatMessage)
      .set({ body: '', deletedAt: sql`coalesce(${chatMessage.deletedAt}, now())` })
      .where(eq(chatMessage.authorId, studentId))
  },
}
