import { and, desc, eq } from 'drizzle-orm'
import { inTenant } from '#lib/core/db/db.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { requireConversation } from '../access.ts'
import { requireChat } from '../chat.ts'
import type { MessageEdits } from '../output-schema.ts'
import type { MessageRef } from '../schema.ts'
import { chatMessageEdit } from '../table.ts'

const MAX_EDITS = 50

/**
 * The earlier texts of a message that the actor reads, the latest first; at most 50, none of a deleted message. Refuses with
 * forbidden, not_found for the conversation.
 */
export async function listMessageEdits(actor: Actor, { conversationId, seq }: MessageRef): Promise<MessageEdits> {
  requireChat(actor)
  return inTenant(actor, async (tx) => {
    await requireConversation(tx, actor, conversationId)
    const edits = await tx
      .select({ body: chatMessageEdit.body, replacedAt: chatMessageEdit.editedAt })
      .from(chatMessageEdit)
      .where(and(eq(chatMessageEdit.conversationId, conversationId), eq(chatMessageEdit.seq, seq)))
      .orderBy(desc(chatMessageEdit.editedAt))
      .limit(MAX_EDITS)
    return { edits }
  })
}
