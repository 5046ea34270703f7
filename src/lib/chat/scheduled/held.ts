import { and, eq, sql } from 'drizzle-orm'
import { inTenant } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { hasRole } from '#lib/core/shared/role.ts'
import { requireConversation } from '../access.ts'
import { requireChat } from '../chat.ts'
import { requireChatPlan } from '../relation.ts'
import type { HeldReplyView, ScheduledMessageRef } from './schema.ts'
import { selectHeldReplies } from './select-scheduled.ts'
import { postScheduled } from './send-scheduled.ts'
import { chatScheduledMessage as scheduled } from './table.ts'

/** Replies of others by email that wait because their sender was not authenticated; none for students. */
export async function listHeldReplies(actor: Actor): Promise<HeldReplyView[]> {
  requireChat(actor)
  if (hasRole(actor, ['STUDENT'])) return []
  return inTenant(actor, (tx) => selectHeldReplies(tx, actor, sql`true`))
}

/**
 * Sends a reply by email that waits because its sender was not authenticated, as its author: by the author, or by a team
 * member who may read the conversation. Refuses with plan_inactive, not_found, and as `sendMessage` does for the author.
 */
export async function releaseHeldReply(actor: Actor, { messageId }: ScheduledMessageRef): Promise<void> {
  requireChat(actor)
  requireChatPlan(actor)
  await inTenant(actor, async (tx) => {
    const isHeld = and(eq(scheduled.id, messageId), eq(scheduled.failure, 'unverified'))
    const [heldReply] = await tx.select().from(scheduled).where(isHeld).for('update')
    if (!heldReply) throw new Refusal('not_found')
    const isAuthor = heldReply.authorId === actor.membershipId
    if (!isAuthor && hasRole(actor, ['STUDENT'])) throw new Refusal('not_found')
    if (!isAuthor) await requireConversation(tx, actor, heldReply.conversationId)
    await postScheduled(tx, actor.tenantId, heldReply)
  })
}
