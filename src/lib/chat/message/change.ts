import { and, eq, sql } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { publish } from '#lib/core/live/live.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { Verdict } from '#lib/core/shared/verdict.ts'
import { type ConversationAccess, requireConversation } from '../access.ts'
import { requireChat } from '../chat.ts'
import { removeFilesOfMessages } from '../file/attach.ts'
import type { ConversationEvent, ConversationMessageView } from '../output-schema.ts'
import { requireChatPlan, requireChatVerdict } from '../relation.ts'
import { canDeleteMessage, canEditMessage } from '../rules.ts'
import type { EditChatMessage, MessageRef } from '../schema.ts'
import { chatMention, chatMessage, chatMessageEdit, chatReaction } from '../table.ts'
import { selectMessage } from './messages.ts'
import { publishMessage } from './publish.ts'
import { updateWaiting } from './waiting.ts'

/** Replaces the text of an own message; the earlier text is kept. Refuses with forbidden, plan_inactive, not_found. */
export async function editChatMessage(
  actor: Actor,
  { body, ...ref }: EditChatMessage,
): Promise<ConversationMessageView> {
  return updateOwnMessage(actor, ref, canEditMessage, async (tx, before) => {
    if (before.body === body) return
    const { tenantId } = actor
    await tx.insert(chatMessageEdit).values({ tenantId, ...ref, body: before.body })
    await tx.update(chatMessage).set({ body, editedAt: sql`clock_timestamp()` }).where(isMessage(ref))
  })
}

/**
 * Deletes the text of a message and its earlier texts; its place in the conversation stays. Refuses as `editChatMessage`, also
 * for messages of others unless the actor moderates the conversation.
 */
export async function deleteChatMessage(actor: Actor, ref: MessageRef): Promise<ConversationMessageView> {
  return updateOwnMessage(actor, ref, canDeleteMessage, (tx) => eraseMessage(tx, ref))
}

/**
 * Deletes a message without a permission of its own, in the transaction of a decision about it. A message that does not exist
 * any more stays as it is.
 */
export async function removeMessage(tx: Tx, actor: Actor, ref: MessageRef): Promise<void> {
  await tx.select({ seq: chatMessage.seq }).from(chatMessage).where(isMessage(ref)).for('update')
  const before = await selectMessage(tx, actor, ref)
  if (!before || before.deletedAt) return
  await eraseMessage(tx, ref)
  const message = (await selectMessage(tx, actor, ref)) ?? before
  const event: ConversationEvent = { type: 'changed', message: { ...message, ownReactions: [] } }
  await publish(`conversation:${ref.conversationId}`, event)
}

async function eraseMessage(tx: Tx, ref: MessageRef): Promise<void> {
  const { conversationId, seq } = ref
  await tx
    .delete(chatMessageEdit)
    .where(and(eq(chatMessageEdit.conversationId, conversationId), eq(chatMessageEdit.seq, seq)))
  for (const table of [chatReaction, chatMention])
    await tx.delete(table).where(and(eq(table.conversationId, conversationId), eq(table.seq, seq)))
  await removeFilesOfMessages(tx, sql`f.conversation_id = ${conversationId} and f.seq = ${seq}`)
  const deletion = {
    attachment: 'none' as const,
    body: '',
    deletedAt: sql`clock_timestamp()`,
    pinnedAt: null,
    mentionsAll: false,
    forwardedAuthorId: null,
  }
  await tx.update(chatMessage).set(deletion).where(isMessage(ref))
  await updateWaiting(tx, conversationId)
}

const isMessage = ({ conversationId, seq }: MessageRef) =>
  and(eq(chatMessage.conversationId, conversationId), eq(chatMessage.seq, seq))

type Rule = (
  actor: Actor,
  message: { authorId: string; isDeleted: boolean },
  conversation: ConversationAccess,
) => Verdict

function updateOwnMessage(
  actor: Actor,
  ref: MessageRef,
  rule: Rule,
  change: (tx: Tx, before: ConversationMessageView) => Promise<void>,
): Promise<ConversationMessageView> {
  requireChat(actor)
  requireChatPlan(actor)
  return inTenant(actor, async (tx) => {
    const conversation = await requireConversation(tx, actor, ref.conversationId)
    await tx.select({ seq: chatMessage.seq }).from(chatMessage).where(isMessage(ref)).for('update')
    const before = await selectMessage(tx, actor, ref)
    if (!before) throw new Refusal('not_found')
    requireChatVerdict(rule(actor, { authorId: before.authorId, isDeleted: before.deletedAt !== null }, conversation))
    await change(tx, before)
    const message = (await selectMessage(tx, actor, ref)) ?? before
    await publishMessage(conversation, { type: 'changed', message })
    return message
  })
}
