import { inTenant } from '#lib/core/db/db.ts'
import { formRefusal, Refusal } from '#lib/core/http/refusal.ts'
import { countAttempt } from '#lib/core/http/throttle.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { requireConversation } from '../access.ts'
import { requireChat } from '../chat.ts'
import type { ConversationMessageView } from '../output-schema.ts'
import { requireChatPlan } from '../relation.ts'
import type { ForwardMessage } from '../schema.ts'
import { selectMessage } from './messages.ts'
import { postMessage, SEND_LIMIT } from './send.ts'

const TEXT_ONLY = { mentions: [], mentionsAll: false, fileIds: [], isVoice: false }

/**
 * Sends the text of a message to another conversation, with the name of its author; the same `messageId` again is the same
 * message. Refuses as `sendMessage`, for the other conversation, and with not_found for a message that the actor may not
 * read or that was deleted.
 */
export async function forwardMessage(actor: Actor, input: ForwardMessage): Promise<ConversationMessageView> {
  requireChat(actor)
  requireChatPlan(actor)
  await countAttempt(`chat.send ${actor.membershipId}`, SEND_LIMIT)
  const { conversationId, seq, toConversationId, messageId } = input
  return inTenant(actor, async (tx) => {
    await requireConversation(tx, actor, conversationId)
    const message = await selectMessage(tx, actor, { conversationId, seq })
    if (!message || message.deletedAt) throw new Refusal('not_found')
    // Files are readable in their own conversation only.
    if (message.body === '') throw formRefusal('forward_files')
    const sent = { conversationId: toConversationId, messageId, body: message.body, ...TEXT_ONLY }
    return postMessage(actor, sent, { forwarded: { conversationId, seq } })
  })
}
