import { inTenant } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Channels } from '#lib/core/live/endpoint.ts'
import { hasRole } from '#lib/core/shared/role.ts'
import { allow, deny } from '#lib/core/shared/verdict.ts'
import { isManager, requireConversation } from './access.ts'
import { CHAT_ROLES } from './rules.ts'
import { ConversationId } from './schema.ts'

/**
 * `conversation:{conversationId}` sends messages, their changes and, in direct conversations, read positions to its
 * readers. `chat:{memberId}` tells the pages of a member that a conversation has changed in the list, and
 * `chat-managers` the managers of the school.
 */
export const chatChannels: Channels = {
  conversation: {
    canSubscribe: (actor, [id]) => {
      const parsed = ConversationId.safeParse({ conversationId: id })
      if (!parsed.success || !hasRole(actor, CHAT_ROLES)) throw new Refusal('not_found')
      return inTenant(actor, async (tx) => {
        await requireConversation(tx, actor, parsed.data.conversationId)
        return allow('reads')
      })
    },
  },
  chat: {
    canSubscribe: (actor, [memberId]) => {
      if (memberId !== actor.membershipId || !hasRole(actor, CHAT_ROLES)) throw new Refusal('not_found')
      return allow('own')
    },
  },
  'chat-managers': {
    canSubscribe: (actor) => (isManager(actor) ? allow('manages') : deny('managers_only')),
  },
}
