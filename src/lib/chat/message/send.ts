import { sql } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { countAttempt } from '#lib/core/http/throttle.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { hasRole } from '#lib/core/shared/role.ts'
import { type ChatActor, type ConversationAccess, requireConversation } from '../access.ts'
import { requireChat } from '../chat.ts'
import { planNotifications } from '../inform/plan.ts'
import type { ConversationMessageView } from '../output-schema.ts'
import { requireChatPlan, requireChatVerdict, requireContact } from '../relation.ts'
import { canPost } from '../rules.ts'
import type { SendMessage } from '../schema.ts'
import { selectMessage } from './messages.ts'
import { publishMessage } from './publish.ts'

/** Messages of one member; a queue that was filled offline is sent within it. */
const SEND_LIMIT = { limit: 120, windowSeconds: 60 }

/**
 * Sends a message: it gets the next sequence number of the conversation, under the lock of its row. The same `messageId`
 * again is the same message, which is returned. Refuses with forbidden, plan_inactive, too_many, not_found for the
 * conversation, and with conflict for an id that another message has.
 */
export async function sendMessage(actor: Actor, input: SendMessage): Promise<ConversationMessageView> {
  requireChat(actor)
  requireChatPlan(actor)
  await countAttempt(`chat.send ${actor.membershipId}`, SEND_LIMIT)
  return postMessage(actor, input)
}

/** The same without the rate limit, for other transactions. */
export function postMessage(actor: ChatActor, input: SendMessage): Promise<ConversationMessageView> {
  const { conversationId, messageId } = input
  return inTenant(actor, async (tx) => {
    const conversation = await requireConversation(tx, actor, conversationId)
    await requirePost(tx, actor, conversation)
    const seq = await insertMessage(tx, actor, input)
    if (seq === null) return findSent(tx, actor, { conversationId, messageId })
    const [message] = await Promise.all([
      selectMessage(tx, conversationId, seq),
      planNotifications(actor.tenantId, conversationId, seq),
    ])
    if (!message) throw new Refusal('conflict')
    await publishMessage(conversation, { type: 'message', message })
    return message
  })
}

async function requirePost(tx: Tx, actor: ChatActor, conversation: ConversationAccess): Promise<void> {
  requireChatVerdict(canPost(actor, conversation))
  // Staff may always answer; a student only as long as the rules permit to write to the other one.
  if (conversation.kind === 'direct' && conversation.otherId && hasRole(actor, ['STUDENT']))
    await requireContact(tx, actor, conversation.otherId)
}

/** Inserts a message and returns its sequence number; null when there is a message with this id. */
async function insertMessage(tx: Tx, actor: ChatActor, input: SendMessage): Promise<number | null> {
  const { conversationId, messageId, body, replyTo = null } = input
  const isConversation = sql`tenant_id = current_tenant() and id = ${conversationId}`
  // Both statements are sent in one message. The second one sees what other senders committed before the lock was given.
  const [, { rows }] = await Promise.all([
    tx.execute(sql`select 1 from chat_conversation where ${isConversation} for update`),
    tx.execute<{ seq: number }>(sql`
      with numbered as (
        update chat_conversation set last_seq = last_seq + 1, active_at = clock_timestamp(),
          waiting_since = ${hasRole(actor, ['STUDENT']) ? sql`coalesce(waiting_since, clock_timestamp())` : sql`null`}
        where ${isConversation} and not exists
          (select 1 from chat_message where tenant_id = current_tenant() and id = ${messageId})
        returning last_seq, active_at)
      insert into chat_message (tenant_id, conversation_id, seq, id, author_id, body, reply_to_seq, created_at)
      select current_tenant(), ${conversationId}, last_seq, ${messageId}, ${actor.membershipId}, ${body},
        (select r.seq from chat_message r where r.tenant_id = current_tenant() and r.conversation_id = ${conversationId}
          and r.seq = ${replyTo}), active_at
      from numbered returning seq`),
  ])
  return rows[0]?.seq ?? null
}

async function findSent(
  tx: Tx,
  actor: ChatActor,
  { conversationId, messageId }: Pick<SendMessage, 'conversationId' | 'messageId'>,
): Promise<ConversationMessageView> {
  const { rows } = await tx.execute<{ seq: number }>(sql`select seq from chat_message where tenant_id = current_tenant()
    and id = ${messageId} and conversation_id = ${conversationId} and author_id = ${actor.membershipId}`)
  const message = rows[0] && (await selectMessage(tx, conversationId, rows[0].seq))
  if (!message) throw new Refusal('conflict')
  return message
}
