import { and, eq, exists, or, sql } from 'drizzle-orm'
import type { CardSection } from '#lib/student/card/section.ts'
import { removeFilesOfMessages } from './file/attach.ts'
import { chatReport } from './moderation/table.ts'
import { chatPresence } from './presence/table.ts'
import { chatScheduledMessage } from './scheduled/table.ts'
import { chatMention, chatMessage, chatMessageEdit, chatReaction } from './table.ts'

/**
 * The texts and files of a student in conversations, also where others forwarded them, reactions, mentions, planned messages and
 * reports. The messages remain as deleted ones, so that answers keep their context.
 */
export const chatCardSection: CardSection = {
  key: 'chat',
  erase: async (tx, { studentId }) => {
    const isWrittenBy = or(eq(chatMessage.authorId, studentId), eq(chatMessage.forwardedAuthorId, studentId))
    // A message that is being forwarded is forwarded before, and the new message is erased too.
    await tx.select({ seq: chatMessage.seq }).from(chatMessage).where(isWrittenBy).for('update')
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
    // What the student uploaded, also where others forwarded it, and what the student forwarded.
    const isMessageOfStudent = sql`exists (select 1 from chat_message w where w.tenant_id = f.tenant_id
      and w.conversation_id = f.conversation_id and w.seq = f.seq and w.author_id = ${studentId})`
    await removeFilesOfMessages(tx, sql`(f.uploader_id = ${studentId} or ${isMessageOfStudent})`)
    await tx.delete(chatReaction).where(eq(chatReaction.memberId, studentId))
    await tx.delete(chatScheduledMessage).where(eq(chatScheduledMessage.authorId, studentId))
    await tx.delete(chatPresence).where(eq(chatPresence.memberId, studentId))
    await tx.update(chatReport).set({ body: '' }).where(eq(chatReport.authorId, studentId))
    await tx.update(chatReport).set({ note: '' }).where(eq(chatReport.reporterId, studentId))
    await tx.delete(chatMention).where(eq(chatMention.memberId, studentId))
    await tx
      .update(chatMessage)
      .set({ body: '', attachment: 'none', pinnedAt: null, deletedAt: sql`coalesce(${chatMessage.deletedAt}, now())` })
      .where(isWrittenBy)
  },
}
