import { sql } from 'drizzle-orm'
import { createBatcher } from '#lib/core/batch.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { waitForAll } from '#lib/core/db/wait-for-all.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { countAttempt } from '#lib/core/http/throttle.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { hasRole } from '#lib/core/shared/role.ts'
import { type ChatActor, type ConversationAccess, requireConversation } from '../access.ts'
import { requireChat } from '../chat.ts'
import { attachMessageFiles } from '../file/attach.ts'
import { planNotifications } from '../notify-members/plan.ts'
import type { ConversationMessageView } from '../output-schema.ts'
import { addMentions } from '../readers.ts'
import { requireChatPlan, requireChatVerdict } from '../relation.ts'
import { canMentionAll } from '../rules.ts'
import type { MessageRef, SendMessage } from '../schema.ts'
import { selectMessage, selectNewMessages } from './messages.ts'
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
  // Nothing is written by who views the school as a student: this transaction is read-only, unlike the one of a batch.
  if (actor.impersonation) return postMessage(actor, input)
  return postInBatch(`${actor.tenantId}/${input.conversationId}`, { actor, message: input })
}

/** What a message consists of; without the rest it is a text alone. */
type PostedMessage = Pick<SendMessage, 'conversationId' | 'messageId' | 'body'> & Partial<SendMessage>

interface PostOptions {
  /** The message whose text and files it has. */
  forwarded?: MessageRef | null
  /** The planned message whose files it has. */
  scheduledId?: string | null
}

interface PendingMessage extends PostOptions {
  actor: ChatActor
  message: PostedMessage
}

/** The same without the rate limit, for other transactions. */
export function postMessage(
  actor: ChatActor,
  message: PostedMessage,
  options: PostOptions = {},
): Promise<ConversationMessageView> {
  return inTenant(actor, async (tx) => {
    const [sent] = await writeMessages(tx, message.conversationId, [{ actor, message, ...options }])
    if (!sent) throw new Refusal('conflict')
    return sent
  })
}

/**
 * Messages that arrive at a conversation while others are written become one transaction: in a busy conversation they need
 * its lock, the commit and the job of the notifications once. If one of them is refused, each is written by itself.
 */
const postInBatch = createBatcher<PendingMessage, ConversationMessageView>(
  async (_, pending) => {
    const [first] = pending
    if (!first) return []
    const { actor, message } = first
    return inTenant({ tenantId: actor.tenantId }, (tx) => writeMessages(tx, message.conversationId, pending))
  },
  { maxSize: 50 },
)

/** Writes messages of one conversation, which get their numbers in this order. */
async function writeMessages(
  tx: Tx,
  conversationId: string,
  pending: readonly PendingMessage[],
): Promise<ConversationMessageView[]> {
  const conversations = await waitForAll(pending.map((each) => requireWritable(tx, each)))
  const [first] = conversations
  const actor = pending[0]?.actor
  if (!first || !actor) return []
  const textIds = pending.filter(({ message }) => !hasParts(message)).map(({ message }) => message.messageId)
  // In one message to the database: while the conversation is locked, every round trip delays other senders.
  const [seqs, , texts] = await waitForAll([
    insertMessages(tx, conversationId, pending),
    planNotifications(actor.tenantId, conversationId, first.lastSeq + 1),
    selectNewMessages(tx, actor, { conversationId, afterSeq: first.lastSeq, ids: textIds }),
  ])
  const sent: ConversationMessageView[] = []
  for (const [index, each] of pending.entries()) {
    const seq = seqs[index] ?? null
    if (seq === null) {
      sent.push(await findSent(tx, each))
      continue
    }
    await addParts(tx, each, seq)
    const view = texts.get(each.message.messageId) ?? (await selectMessage(tx, each.actor, { conversationId, seq }))
    if (!view) throw new Refusal('conflict')
    await publishMessage(conversations[index] ?? first, { type: 'message', message: view })
    sent.push(view)
  }
  return sent
}

/** Loads the conversation of a message. Refuses with not_found, forbidden unless the actor may write it there. */
async function requireWritable(tx: Tx, { actor, message }: PendingMessage): Promise<ConversationAccess> {
  const conversation = await requireConversation(tx, actor, message.conversationId)
  await requirePost(tx, actor, conversation)
  if (message.mentionsAll) requireChatVerdict(canMentionAll(actor, conversation))
  return conversation
}

const hasParts = ({ mentions = [], fileIds = [] }: PostedMessage): boolean => mentions.length > 0 || fileIds.length > 0

async function addParts(tx: Tx, pending: PendingMessage, seq: number): Promise<void> {
  const { actor, message, forwarded = null, scheduledId = null } = pending
  const { conversationId, mentions = [], fileIds = [] } = message
  await addMentions(tx, { conversationId, seq }, mentions)
  const from = forwarded ? { forwarded } : scheduledId === null ? null : { scheduledId }
  await attachMessageFiles(tx, actor, { conversationId, fileIds, from, to: { seq } })
}

/** Inserts messages under the lock of their conversation. Returns a number of each; null when there is a message with its id. */
async function insertMessages(
  tx: Tx,
  conversationId: string,
  pending: readonly PendingMessage[],
): Promise<(number | null)[]> {
  // The inserts are sent in the same message. They see what other senders committed before the lock was given.
  const lock = tx.execute(sql`select 1 from chat_conversation
    where tenant_id = current_tenant() and id = ${conversationId} for update`)
  const [, ...seqs] = await waitForAll([lock.execute(), ...pending.map((each) => insertMessage(tx, each))])
  return seqs
}

async function insertMessage(tx: Tx, { actor, message, forwarded }: PendingMessage): Promise<number | null> {
  const { conversationId, messageId, body, replyTo = null, mentionsAll = false, fileIds = [], isVoice } = message
  const attachment = fileIds.length === 0 ? 'none' : isVoice ? 'voice' : 'file'
  const forwardedAuthor = forwarded
    ? sql`(select coalesce(f.forwarded_author_id, f.author_id) from chat_message f where f.tenant_id = current_tenant()
        and f.conversation_id = ${forwarded.conversationId} and f.seq = ${forwarded.seq})`
    : sql`null::uuid`
  const insert = tx.execute<{ seq: number }>(sql`
    with numbered as (
      update chat_conversation set last_seq = last_seq + 1, active_at = clock_timestamp(),
        waiting_since = ${hasRole(actor, ['STUDENT']) ? sql`coalesce(waiting_since, clock_timestamp())` : sql`null`}
      where tenant_id = current_tenant() and id = ${conversationId} and not exists
        (select 1 from chat_message where tenant_id = current_tenant() and id = ${messageId})
      returning last_seq, active_at)
    insert into chat_message (tenant_id, conversation_id, seq, id, author_id, body, reply_to_seq, thread_seq, created_at,
      mentions_all, forwarded_author_id, attachment)
    select current_tenant(), ${conversationId}, last_seq, ${messageId}, ${actor.membershipId}, ${body},
      answered.seq, coalesce(answered.thread_seq, answered.seq), active_at, ${mentionsAll}, ${forwardedAuthor}, ${attachment}
    from numbered left join chat_message answered on answered.tenant_id = current_tenant()
      and answered.conversation_id = ${conversationId} and answered.seq = ${replyTo}
    returning seq`)
  const { rows } = await insert.execute()
  return rows[0]?.seq ?? null
}

async function findSent(tx: Tx, { actor, message }: PendingMessage): Promise<ConversationMessageView> {
  const { conversationId, messageId } = message
  const { rows } = await tx.execute<{ seq: number }>(sql`select seq from chat_message where tenant_id = current_tenant()
    and id = ${messageId} and conversation_id = ${conversationId} and author_id = ${actor.membershipId}`)
  const sent = rows[0] && (await selectMessage(tx, actor, { conversationId, seq: rows[0].seq }))
  if (!sent) throw new Refusal('conflict')
  return sent
}
