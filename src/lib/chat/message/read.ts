import { sql } from 'drizzle-orm'
import { inTenant } from '#lib/core/db/db.ts'
import { publishWithCommit } from '#lib/core/live/live.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { requireConversation } from '../access.ts'
import { requireChat } from '../chat.ts'
import type { ChatListEvent, ConversationEvent } from '../output-schema.ts'
import type { MarkConversationRead } from '../schema.ts'

/**
 * Moves the actor's read position forward to a message, for all devices; never back. Refuses with forbidden, not_found.
 */
export async function markConversationRead(actor: Actor, { conversationId, seq }: MarkConversationRead): Promise<void> {
  requireChat(actor)
  const memberId = actor.membershipId
  return inTenant(actor, async (tx) => {
    const { kind, lastSeq } = await requireConversation(tx, actor, conversationId)
    const readSeq = Math.min(seq, lastSeq)
    const { rowCount } = await tx.execute(sql`
      insert into chat_member as m (tenant_id, conversation_id, member_id, read_seq)
      values (current_tenant(), ${conversationId}, ${memberId}, ${readSeq})
      on conflict (tenant_id, conversation_id, member_id) do update set read_seq = excluded.read_seq
        where m.read_seq < excluded.read_seq`)
    if (rowCount === 0) return
    const read: ConversationEvent = { type: 'read', memberId, seq: readSeq }
    if (kind === 'direct') await publishWithCommit(`conversation:${conversationId}`, read)
    const listEvent: ChatListEvent = { conversationId }
    await publishWithCommit(`chat:${memberId}`, listEvent)
  })
}
