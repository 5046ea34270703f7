import { sql } from 'drizzle-orm'
import { inTenant } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { countAttempt } from '#lib/core/http/throttle.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { requireConversation } from '../access.ts'
import { requireChat } from '../chat.ts'
import type { ConversationMessageView } from '../output-schema.ts'
import { requireChatPlan } from '../relation.ts'
import type { ForwardMessage } from '../schema.ts'
import { selectMessage } from './messages.ts'
import { postMessage, SEND_LIMIT } from './send.ts'

/**
 * Sends the text and the files of a message to another conversation, with the name of its author; the same `messageId` again
 * is the same message. Both messages have the same files, each with the readers of its conversation. Refuses as
 * `sendMessage`, for the other conversation, and with not_found for a message that the actor may not read or that was deleted.
 */
export async function forwardMessage(actor: Actor, input: ForwardMessage): Promise<ConversationMessageView> {
  requireChat(actor)
  requireChatPlan(actor)
  await countAttempt(`chat.send ${actor.membershipId}`, SEND_LIMIT)
  const { conversationId, seq, toConversationId, messageId } = input
  return inTenant(actor, async (tx) => {
    await requireConversation(tx, actor, conversationId)
    // Until the end of the transaction the message is not deleted, and its files with it.
    await tx.execute(sql`select 1 from chat_message where tenant_id = current_tenant()
      and conversation_id = ${conversationId} and seq = ${seq} for share`)
    const message = await selectMessage(tx, actor, { conversationId, seq })
    if (!message || message.deletedAt) throw new Refusal('not_found')
    const { body, attachment, files } = message
    if (body === '' && files.length === 0) throw new Refusal('not_found')
    const sent = {
      conversationId: toConversationId,
      messageId,
      body,
      fileIds: files.map(({ id }) => id),
      isVoice: attachment === 'voice',
    }
    return postMessage(actor, sent, { forwarded: { conversationId, seq } })
  })
}
