import { sql } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Channels } from '#lib/core/live/endpoint.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { hasRole } from '#lib/core/shared/role.ts'
import { allow, deny } from '#lib/core/shared/verdict.ts'
import { isManager, openGrants, requireConversation } from './access.ts'
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
        const { id, isParticipant, hasAccess } = await requireConversation(tx, actor, parsed.data.conversationId)
        const until = hasAccess && !isParticipant ? await accessEnd(tx, actor, id) : null
        return { ...allow('reads'), until }
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

/** When the last grant of the student for the course of a conversation stops opening it; null when one has no end. */
async function accessEnd(tx: Tx, actor: Actor, conversationId: string): Promise<Date | null> {
  const { rows } = await tx.execute<{ endsAt: string | null }>(sql`
    select case when bool_and(a.closes_at is not null) then max(a.closes_at) end as "endsAt"
    from chat_conversation c join ${openGrants} a on a.course_id = c.course_id
    where c.tenant_id = current_tenant() and c.id = ${conversationId} and a.student_id = ${actor.membershipId}
      and (c.kind <> 'group' or a.group_id = c.group_id)`)
  return rows[0]?.endsAt ? new Date(rows[0].endsAt) : null
}
