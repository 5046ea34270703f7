import { sql } from 'drizzle-orm'
import { inTenant } from '#lib/core/db/db.ts'
import { formRefusal } from '#lib/core/http/refusal.ts'
import { endStreamsOfUser, publish } from '#lib/core/live/live.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { requireConversation } from './access.ts'
import { requireChat } from './chat.ts'
import { markConversationRead } from './message/read.ts'
import type { ChatListEvent } from './output-schema.ts'
import { countParticipants, lockConversation } from './participants.ts'
import { requireChatVerdict } from './relation.ts'
import { canLeaveConversation } from './rules.ts'
import type { ArchiveConversation, ConversationId } from './schema.ts'

/**
 * Archives a conversation for the actor, which reads it, or ends that. It returns to the list with the next message. The
 * same again changes nothing. Refuses with forbidden, not_found.
 */
export async function archiveConversation(
  actor: Actor,
  { conversationId, isArchived }: ArchiveConversation,
): Promise<void> {
  requireChat(actor)
  const me = actor.membershipId
  return inTenant(actor, async (tx) => {
    const { lastSeq } = await requireConversation(tx, actor, conversationId)
    if (isArchived) await markConversationRead(actor, { conversationId, seq: lastSeq })
    // A conversation that a member has not opened yet has no row, and is not archived.
    await tx.execute(
      isArchived
        ? sql`insert into chat_member as m (tenant_id, conversation_id, member_id, read_seq, archived_seq)
            values (current_tenant(), ${conversationId}, ${me}, ${lastSeq}, ${lastSeq})
            on conflict (tenant_id, conversation_id, member_id) do update set archived_seq = excluded.archived_seq`
        : sql`update chat_member set archived_seq = null where tenant_id = current_tenant()
            and conversation_id = ${conversationId} and member_id = ${me}`,
    )
    const event: ChatListEvent = { conversationId }
    await publish(`chat:${me}`, event)
  })
}

/**
 * Leaves a conversation of the team, which the actor then does not see any more unless a participant adds it again. Refuses
 * with forbidden, not_found, and with unprocessable for the last participant, since nobody could add anyone any more.
 */
export async function leaveConversation(actor: Actor, { conversationId }: ConversationId): Promise<void> {
  requireChat(actor)
  return inTenant(actor, async (tx) => {
    await lockConversation(tx, conversationId)
    requireChatVerdict(canLeaveConversation(actor, await requireConversation(tx, actor, conversationId)))
    if ((await countParticipants(tx, conversationId)) === 1) throw formRefusal('last_participant')
    await tx.execute(sql`update chat_member set left_at = now() where tenant_id = current_tenant()
      and conversation_id = ${conversationId} and member_id = ${actor.membershipId}`)
    // An open stream of the conversation ends; the browser is authorized again when it reconnects.
    await endStreamsOfUser(actor.userId)
  })
}
