import { and, eq, ne, type SQL, sql } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { formRefusal, Refusal } from '#lib/core/http/refusal.ts'
import { enqueueJob } from '#lib/core/jobs/jobs.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { DAY_MS } from '#lib/core/shared/time.ts'
import { requireConversation } from '../access.ts'
import { requireChat } from '../chat.ts'
import { attachMessageFiles, removeFilesOfMessages } from '../file/attach.ts'
import { requirePost } from '../message/post-permission.ts'
import { requireChatPlan } from '../relation.ts'
import {
  type EditScheduledMessage,
  type ListScheduled,
  MAX_SCHEDULED_DAYS,
  SCHEDULED_LIMIT,
  type ScheduledMessageRef,
  type ScheduledMessageView,
  type ScheduleMessage,
} from './schema.ts'
import { selectScheduled } from './select-scheduled.ts'
import { chatScheduledMessage as scheduled } from './table.ts'

/**
 * Plans a message; the same id again is the same message. Refuses as `sendMessage` does, and with unprocessable for a time
 * that has passed or is more than a year away, or when too many are planned.
 */
export async function scheduleChatMessage(
  actor: Actor,
  input: ScheduleMessage,
  now = new Date(),
): Promise<ScheduledMessageView> {
  requireChat(actor)
  requireChatPlan(actor)
  const { conversationId, messageId, body, mentions, replyTo, fileIds, isVoice } = input
  return inTenant(actor, async (tx) => {
    await requirePost(tx, actor, await requireConversation(tx, actor, conversationId))
    const sendAt = requireFuture(input.sendAt, now)
    await requireFree(tx, actor, messageId)
    const { tenantId, membershipId: authorId } = actor
    const { rowCount } = await tx
      .insert(scheduled)
      .values({
        tenantId,
        id: messageId,
        conversationId,
        authorId,
        body,
        isVoice: isVoice && fileIds.length > 0,
        mentions,
        replyToSeq: replyTo ?? null,
        sendAt,
      })
      .onConflictDoNothing()
    if (rowCount !== 0)
      await attachMessageFiles(tx, actor, { conversationId, fileIds, from: null, to: { scheduledId: messageId } })
    const [row] = await selectScheduled(tx, actor, sql`q.id = ${messageId}`)
    if (!row) throw new Refusal('conflict')
    await enqueueSending(tenantId, row)
    return row
  })
}

/**
 * The planned messages of the actor, the next one first, with those that could not be sent: of a conversation, or of all, also
 * of those that it does not read any more. Refuses with not_found for the conversation.
 */
export async function listScheduled(
  actor: Actor,
  { conversationId }: ListScheduled,
): Promise<{ messages: ScheduledMessageView[] }> {
  requireChat(actor)
  return inTenant(actor, async (tx) => {
    if (conversationId === undefined) return { messages: await selectScheduled(tx, actor, sql`true`) }
    await requireConversation(tx, actor, conversationId)
    return { messages: await selectScheduled(tx, actor, sql`q.conversation_id = ${conversationId}`) }
  })
}

/**
 * Changes the text, the files and the time of an own planned message. Refuses with plan_inactive, unprocessable as
 * `scheduleChatMessage` and for a message with neither text nor files, and with not_found when it was sent or canceled.
 */
export async function editScheduled(
  actor: Actor,
  { messageId, body, fileIds, sendAt: wanted }: EditScheduledMessage,
  now = new Date(),
): Promise<ScheduledMessageView> {
  requireChat(actor)
  requireChatPlan(actor)
  return inTenant(actor, async (tx) => {
    await lockScheduled(tx, actor, messageId)
    const sendAt = requireFuture(wanted, now)
    if (fileIds)
      await removeFilesOfMessages(
        tx,
        sql`f.scheduled_id = ${messageId} and f.file_id <> all(${sql.param(fileIds)}::uuid[])`,
      )
    await tx
      .update(scheduled)
      .set({ body, sendAt, failure: null, isVoice: sql`is_voice and exists (${scheduledFiles(messageId)})` })
      .where(isOfAuthor(actor, messageId))
    const [row] = await selectScheduled(tx, actor, sql`q.id = ${messageId}`)
    if (!row) throw new Refusal('not_found')
    if (row.body === '' && row.files.length === 0)
      throw new Refusal('unprocessable', { fields: { body: ['required'] } })
    await enqueueSending(actor.tenantId, row)
    return row
  })
}

/** Cancels an own planned message, and deletes its files. Refuses with not_found when it was sent or canceled. */
export async function cancelScheduled(actor: Actor, { messageId }: ScheduledMessageRef): Promise<void> {
  requireChat(actor)
  return inTenant(actor, async (tx) => {
    await lockScheduled(tx, actor, messageId)
    await removeFilesOfMessages(tx, sql`f.scheduled_id = ${messageId}`)
    await tx.delete(scheduled).where(isOfAuthor(actor, messageId))
  })
}

const isOfAuthor = ({ membershipId }: Actor, messageId: string): SQL | undefined =>
  and(eq(scheduled.id, messageId), eq(scheduled.authorId, membershipId))

const scheduledFiles = (messageId: string): SQL =>
  sql`select 1 from chat_file f where f.tenant_id = current_tenant() and f.scheduled_id = ${messageId}`

/** Locks an own planned message, so that it is not sent during a change. Refuses with not_found. */
async function lockScheduled(tx: Tx, actor: Actor, messageId: string): Promise<void> {
  const rows = await tx.select({ id: scheduled.id }).from(scheduled).where(isOfAuthor(actor, messageId)).for('update')
  if (rows.length === 0) throw new Refusal('not_found')
}

function requireFuture(text: string, now: Date): Date {
  const at = new Date(text)
  const refuse = (reason: string) => new Refusal('unprocessable', { fields: { sendAt: [reason] } })
  if (at <= now) throw refuse('date_in_past')
  if (at.getTime() - now.getTime() > MAX_SCHEDULED_DAYS * DAY_MS) throw refuse('schedule_too_late')
  return at
}

async function requireFree(tx: Tx, actor: Actor, messageId: string): Promise<void> {
  const rows = await tx
    .select({ id: scheduled.id })
    .from(scheduled)
    .where(and(eq(scheduled.authorId, actor.membershipId), ne(scheduled.id, messageId)))
    .limit(SCHEDULED_LIMIT)
  if (rows.length === SCHEDULED_LIMIT) throw formRefusal('many_scheduled')
}

/** A job for each time that a message had: only the one of the current time finds it due. */
async function enqueueSending(tenantId: string, { messageId, sendAt }: ScheduledMessageView): Promise<void> {
  const singletonKey = `${messageId} ${sendAt.getTime()}`
  await enqueueJob('chat.sendScheduled', { tenantId, messageId }, { startAfter: sendAt, singletonKey })
}
