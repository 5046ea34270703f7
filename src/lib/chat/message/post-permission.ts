import type { Tx } from '#lib/core/db/db.ts'
import { hasRole } from '#lib/core/shared/role.ts'
import type { ChatActor, ConversationAccess } from '../access.ts'
import { requireChatVerdict, requireContact } from '../relation.ts'
import { canPost } from '../rules.ts'

/** Refuses with forbidden unless the actor may write in the conversation. */
export async function requirePost(tx: Tx, actor: ChatActor, conversation: ConversationAccess): Promise<void> {
  requireChatVerdict(canPost(actor, conversation))
  // Staff may always answer; a student only as long as the rules permit to write to the other one.
  if (conversation.kind === 'direct' && conversation.otherId && hasRole(actor, ['STUDENT']))
    await requireContact(tx, actor, conversation.otherId)
}
