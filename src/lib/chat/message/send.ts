import { sql } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { countAttempt } from '#lib/core/http/throttle.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { hasRole } from '#lib/core/shared/role.ts'
import { type ChatActor, requireConversation } from '../access.ts'
import { requireChat } from '../chat.ts'
import { attachMessageFiles } from '../file/attach.ts'
import { planNotifications } from '../notify-members/plan.ts'
import type { ConversationMessageView } from '../output-schema.ts'
import { addMentions } from '../readers.ts'
import { requireChatPlan, requireChatVerdict } from '../relation.ts'
import { canMentionAll } from '../rules.ts'
import type { MessageRef, SendMessage } from '../schema.ts'
import { selectMessage, selectMessageById } from './messages.ts'
import { requirePost } from './post-permission.ts'
import { publishMessage } from './publish.ts'

/** Messages of one member; a queue that was filled offline is sent within it. */
export const SEND_LIMIT = { limit: 120, windowSeconds: 60 }

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

/** What a message consists of; without the rest it is a text alone. */
type PostedMessage = Pick<SendMessage, 'conversationId' | 'messageId' | 'body'> & Partial<SendMessage>

interface PostOptions {
  /** The message whose text and files it has. */
  forwarded?: MessageRef | null
  /** The planned message whose files it has. */
  scheduledId?: string | null
}

/** The same without the rate limit, for other transactions. */
export function postMessage(
  actor: ChatActor,
  input: PostedMessage,
  { forwarded = null, scheduledId = null }: PostOptions = {},
): Promise<ConversationMessageView> {
  const { conversationId, messageId, mentions = [], fileIds = [] } = input
  return inTenant(actor, async (tx) => {
    const conversation = await requireConversation(tx, actor, conversationId)
    await requirePost(tx, actor, conversation)
    if (input.mentionsAll) requireChatVerdict(canMentionAll(actor, conversation))
    const hasParts = mentions.length > 0 || fileIds.length > 0
    // In one message to the database: while the conversation is locked, every round trip delays other senders.
    const [seq, , inserted] = await Promise.all([
      insertMessage(tx, actor, input, forwarded),
      planNotifications(actor.tenantId, conversationId, conversation.lastSeq + 1),
      hasParts ? undefined : selectMessageById(tx, actor, { conversationId, messageId }),
    ])
    if (seq === null) return findSent(tx, actor, { conversationId, messageId })
    await addMentions(tx, { conversationId, seq }, mentions)
    const from = forwarded ? { forwarded } : scheduledId === null ? null : { scheduledId }
    await attachMessageFiles(tx, actor, { conversationId, fileIds, from, to: { seq } })
    const message = inserted ?? (await selectMessage(tx, actor, { conversationId, seq }))
    if (!message) throw new Refusal('conflict')
    await publishMessage(conversation, { type: 'message', message })
    return message
  })
}

/** Inserts a message and returns its sequence number; null when there is a message with this id. */
async function insertMessage(
  tx: Tx,
  actor: ChatActor,
  input: PostedMessage,
  forwarded: MessageRef | null,
): Promise<number | null> {
  const { conversationId, messageId, body, replyTo = null, mentionsAll = false, fileIds = [], isVoice } = input
  const attachment = fileIds.length === 0 ? 'none' : isVoice ? 'voice' : 'file'
  const forwardedAuthor = forwarded
    ? sql`(select coalesce(f.forwarded_author_id, f.author_id) from chat_message f where f.tenant_id = current_tenant()
        and f.conversation_id = ${forwarded.conversationId} and f.seq = ${forwarded.seq})`
    : sql`null::uuid`
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
      insert into chat_message (tenant_id, conversation_id, seq, id, author_id, body, reply_to_seq, thread_seq, created_at,
        mentions_all, forwarded_author_id, attachment)
      select current_tenant(), ${conversationId}, last_seq, ${messageId}, ${actor.membershipId}, ${body},
        answered.seq, coalesce(answered.thread_seq, answered.seq), active_at, ${mentionsAll}, ${forwardedAuthor}, ${attachment}
      from numbered left join chat_message answered on answered.tenant_id = current_tenant()
        and answered.conversation_id = ${conversationId} and answered.seq = ${replyTo}
      returning seq`),
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
  const message = rows[0] && (await selectMessage(tx, actor, { conversationId, seq: rows[0].seq }))
  if (!message) throw new Refusal('conflict')
  return message
}
