import { sql } from 'drizzle-orm'
import { inTenant } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { requireConversation } from '../access.ts'
import { requireChat } from '../chat.ts'
import type { ThreadPage } from '../output-schema.ts'
import type { ListThread } from '../schema.ts'
import { selectMessage, selectMessages } from './messages.ts'

/**
 * The thread of a message in order: the message that began it and all replies, also those to replies. `seq` may be any
 * message of the thread. Refuses with forbidden, not_found.
 */
export async function listThread(actor: Actor, input: ListThread): Promise<ThreadPage> {
  requireChat(actor)
  const { conversationId, seq, after, limit } = input
  return inTenant(actor, async (tx) => {
    await requireConversation(tx, actor, conversationId)
    const named = await selectMessage(tx, actor, { conversationId, seq })
    if (!named) throw new Refusal('not_found')
    const rootSeq = named.threadSeq ?? named.seq
    const replies = sql`select t.seq from chat_message t where t.tenant_id = current_tenant()
      and t.conversation_id = ${conversationId} and t.thread_seq = ${rootSeq} and t.seq > ${after}
      order by t.seq limit ${limit + 1}`
    const root = after < rootSeq ? sql`${rootSeq}::int || array(${replies})` : sql`array(${replies})`
    const condition = sql`w.seq = any(${root})`
    const messages = await selectMessages(tx, actor, conversationId, { condition, limit: limit + 1 })
    const page = messages.slice(0, limit)
    return { rootSeq, messages: page, next: messages.length > limit ? (page.at(-1)?.seq ?? null) : null }
  })
}
