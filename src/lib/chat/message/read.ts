import { sql } from 'drizzle-orm'
import { inTenant } from '#lib/core/db/db.ts'
import { publish } from '#lib/core/live/live.ts'
import { markGroupRead } from '#lib/notification/notification.ts'
import { type ChatActor, requireConversation } from '../access.ts'
import { requireChat } from '../chat.ts'
import { lockReading, notificationGroup } from '../notify-members/plan.ts'
import type { ChatListEvent, ConversationEvent } from '../output-schema.ts'
import { areShared } from '../presence/sharing.ts'
import type { MarkConversationRead } from '../schema.ts'

/**
 * Moves the actor's read position forward to a message, for all devices; never back. Refuses with forbidden, not_found.
 */
export async function markConversationRead(
  actor: ChatActor,
  { conversationId, seq }: MarkConversationRead,
): Promise<void> {
  requireChat(actor)
  const memberId = actor.membershipId
  return inTenant(actor, async (tx) => {
    const { kind, lastSeq, otherId } = await requireConversation(tx, actor, conversationId)
    const readSeq = Math.min(seq, lastSeq)
    await lockReading(tx, conversationId)
    const { rowCount } = await tx.execute(sql`
      insert into chat_member as m (tenant_id, conversation_id, member_id, read_seq)
      values (current_tenant(), ${conversationId}, ${memberId}, ${readSeq})
      on conflict (tenant_id, conversation_id, member_id) do update set read_seq = excluded.read_seq
        where m.read_seq < excluded.read_seq`)
    if (rowCount === 0) return
    const { rows } = await tx.execute(sql`select 1 from chat_message where tenant_id = current_tenant()
      and conversation_id = ${conversationId} and seq > ${readSeq} and author_id <> ${memberId} and deleted_at is null
      limit 1`)
    if (rows.length === 0) await markGroupRead(tx, memberId, notificationGroup(conversationId))
    const read: ConversationEvent = { type: 'read', memberId, seq: readSeq }
    if (kind === 'direct' && otherId && (await areShared(tx, 'shares_reading', [memberId, otherId])))
      await publish(`conversation:${conversationId}`, read)
    const listEvent: ChatListEvent = { conversationId }
    await publish(`chat:${memberId}`, listEvent)
  })
}
