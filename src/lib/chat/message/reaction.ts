import { and, eq, sql } from 'drizzle-orm'
import { inTenant } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { countAttempt } from '#lib/core/http/throttle.ts'
import { publish } from '#lib/core/live/live.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { requireConversation } from '../access.ts'
import { requireChat } from '../chat.ts'
import type { ConversationEvent } from '../output-schema.ts'
import { requireChatPlan } from '../relation.ts'
import type { ReactToChatMessage } from '../schema.ts'
import { chatMessage, chatReaction } from '../table.ts'

const REACTION_LIMIT = { limit: 120, windowSeconds: 60 }

/**
 * Adds or removes a reaction of the actor, also where it only reads; the same again changes nothing. Refuses with
 * forbidden, plan_inactive, too_many, and not_found also for a deleted message.
 */
export async function reactToMessage(actor: Actor, input: ReactToChatMessage): Promise<void> {
  requireChat(actor)
  requireChatPlan(actor)
  const { tenantId, membershipId: memberId } = actor
  const { conversationId, seq, reaction, isSet } = input
  await countAttempt(`chat.react ${memberId}`, REACTION_LIMIT)
  return inTenant(actor, async (tx) => {
    await requireConversation(tx, actor, conversationId)
    // The lock of the message orders the counts that are published.
    const [message] = await tx
      .select({ deletedAt: chatMessage.deletedAt })
      .from(chatMessage)
      .where(and(eq(chatMessage.conversationId, conversationId), eq(chatMessage.seq, seq)))
      .for('update')
    if (!message || message.deletedAt) throw new Refusal('not_found')
    const isOfMessage = and(
      eq(chatReaction.conversationId, conversationId),
      eq(chatReaction.seq, seq),
      eq(chatReaction.reaction, reaction),
    )
    const { rowCount } = isSet
      ? await tx
          .insert(chatReaction)
          .values({ tenantId, conversationId, seq, memberId, reaction })
          .onConflictDoNothing()
      : await tx.delete(chatReaction).where(and(isOfMessage, eq(chatReaction.memberId, memberId)))
    if (rowCount === 0) return
    const [counted] = await tx.select({ count: sql<number>`count(*)::int` }).from(chatReaction).where(isOfMessage)
    const event: ConversationEvent = { type: 'reaction', seq, memberId, reaction, isSet, count: counted?.count ?? 0 }
    await publish(`conversation:${conversationId}`, event)
  })
}
