import { publishWithCommit } from '#lib/core/live/live.ts'
import { type ConversationAccess, MAX_INFORMED } from '../access.ts'
import type { ChatListEvent, ConversationEvent } from '../output-schema.ts'

/** Publishes a change of messages to the readers of a conversation and to the lists of the members who are informed. */
export async function publishMessage(conversation: ConversationAccess, event: ConversationEvent): Promise<void> {
  const { id, kind, informed } = conversation
  // All readers get the same event: it has no reactions of the actor.
  const shared = 'message' in event ? { ...event, message: { ...event.message, ownReactions: [] } } : event
  await publishWithCommit(`conversation:${id}`, shared)
  const listEvent: ChatListEvent = { conversationId: id }
  if (informed.length <= MAX_INFORMED)
    for (const memberId of informed) await publishWithCommit(`chat:${memberId}`, listEvent)
  if (kind === 'lesson' || kind === 'support') await publishWithCommit('chat-managers', listEvent)
}
