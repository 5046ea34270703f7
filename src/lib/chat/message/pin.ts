import { and, count, eq, isNotNull, sql } from 'drizzle-orm'
import { inTenant } from '#lib/core/db/db.ts'
import { formRefusal, Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { requireConversation } from '../access.ts'
import { requireChat } from '../chat.ts'
import type { ConversationMessageView } from '../output-schema.ts'
import { requireChatPlan, requireChatVerdict } from '../relation.ts'
import { canPin } from '../rules.ts'
import { type ConversationId, PIN_LIMIT, type PinChatMessage } from '../schema.ts'
import { chatConversation, chatMessage } from '../table.ts'
import { selectMessage, selectMessages } from './messages.ts'
import { publishMessage } from './publish.ts'

/**
 * Pins a message, or ends that; the same again changes nothing. Refuses with forbidden, plan_inactive, not_found also for a
 * deleted message, and unprocessable when too many are pinned.
 */
export async function pinChatMessage(actor: Actor, input: PinChatMessage): Promise<ConversationMessageView> {
  requireChat(actor)
  requireChatPlan(actor)
  const { conversationId, seq, isPinned } = input
  return inTenant(actor, async (tx) => {
    const conversation = await requireConversation(tx, actor, conversationId)
    requireChatVerdict(canPin(actor, conversation))
    // Concurrent pins are counted one after another.
    await tx
      .select({ id: chatConversation.id })
      .from(chatConversation)
      .where(eq(chatConversation.id, conversationId))
      .for('update')
    const before = await selectMessage(tx, actor, { conversationId, seq })
    if (!before || before.deletedAt) throw new Refusal('not_found')
    if (before.isPinned === isPinned) return before
    const isOfConversation = eq(chatMessage.conversationId, conversationId)
    if (isPinned) {
      const [pinned] = await tx
        .select({ count: count() })
        .from(chatMessage)
        .where(and(isOfConversation, isNotNull(chatMessage.pinnedAt)))
      if ((pinned?.count ?? 0) >= PIN_LIMIT) throw formRefusal('many_pins')
    }
    await tx
      .update(chatMessage)
      .set({ pinnedAt: isPinned ? sql`clock_timestamp()` : null })
      .where(and(isOfConversation, eq(chatMessage.seq, seq)))
    const message = { ...before, isPinned }
    await publishMessage(conversation, { type: 'changed', message })
    return message
  })
}

/** The pinned messages of a conversation, the latest pinned first. Refuses with forbidden, not_found. */
export async function listPinned(
  actor: Actor,
  { conversationId }: ConversationId,
): Promise<{ messages: ConversationMessageView[] }> {
  requireChat(actor)
  return inTenant(actor, async (tx) => {
    await requireConversation(tx, actor, conversationId)
    const condition = sql`w.pinned_at is not null and w.deleted_at is null`
    const messages = await selectMessages(tx, actor, conversationId, {
      condition,
      limit: PIN_LIMIT,
      isLatestFirst: true,
    })
    return { messages }
  })
}
