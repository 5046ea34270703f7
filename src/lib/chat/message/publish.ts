import { publish } from '#lib/core/live/live.ts'
import { type ConversationAccess, MAX_LIST_MEMBERS } from '../access.ts'
import type { ChatListEvent, ConversationEvent } from '../output-schema.ts'

/** Publishes a change of messages to the readers of a conversation and to the lists of its members. */
export async function publishMessage(conversation: ConversationAccess, event: ConversationEvent): Promise<void> {
  const { id, kind, listMembers } = conversation
  // All readers get the same event: it has no reactions of the actor.
  const shared = 'message' in event ? { ...event, message: { ...event.message, ownReactions: [] } } : event
  await publish(`conversation:${id}`, shared)
  const listEvent: ChatListEvent = { conversationId: id }
  if (listMembers.length <= MAX_LIST_MEMBERS)
    for (const memberId of listMembers) await publish(`chat:${memberId}`, listEvent)
  if (kind === 'lesson' || kind === 'support') await publish('chat-managers', listEvent)
}
