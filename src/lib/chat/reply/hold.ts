import { sql } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { notify } from '#lib/notification/notify.ts'
import { type ChatActor, requireConversation } from '../access.ts'
import { attachMessageFiles } from '../file/attach.ts'
import { messagePlainText } from '../message/markdown-rules.ts'
import { requirePost } from '../message/post-permission.ts'
import { listConversationStaff } from '../notify-members/audience.ts'
import { chatScheduledMessage as scheduled } from '../scheduled/table.ts'

interface HeldReply {
  conversationId: string
  messageId: string
  body: string
  fileIds: string[]
}

/**
 * Keeps a reply by email whose sender was not authenticated as an unsent message of the actor, who sees it in the conversation, and
 * notifies the actor and the staff of the conversation: each of them can send it. The same reply again is ignored. Refuses with
 * forbidden, not_found as `postMessage` does.
 */
export async function holdReply(actor: ChatActor, reply: HeldReply, now: Date): Promise<void> {
  const { conversationId, messageId, body, fileIds } = reply
  await inTenant(actor, async (tx) => {
    await requirePost(tx, actor, await requireConversation(tx, actor, conversationId))
    const { tenantId, membershipId: authorId } = actor
    const { rowCount } = await tx
      .insert(scheduled)
      .values({ tenantId, id: messageId, conversationId, authorId, body, sendAt: now, failure: 'unverified' })
      .onConflictDoNothing()
    if (rowCount === 0) return
    await attachMessageFiles(tx, actor, { conversationId, fileIds, from: null, to: { scheduledId: messageId } })
    await notify(tx, {
      kind: 'chat_reply_held',
      memberIds: [authorId, ...(await listConversationStaff(tx, conversationId))],
      key: `chat_reply_held/${messageId}`,
      data: { subject: messagePlainText(body).slice(0, 60) },
      link: '/chat?view=scheduled',
    })
  })
}

/** Whether the conversation has a message with this id, or it waits. */
export async function isReplyKnown(tx: Tx, messageId: string): Promise<boolean> {
  const { rows } = await tx.execute(sql`
    select 1 from chat_message where tenant_id = current_tenant() and id = ${messageId}
    union all select 1 from chat_scheduled_message where tenant_id = current_tenant() and id = ${messageId} limit 1`)
  return rows.length > 0
}
