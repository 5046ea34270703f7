import { and, asc, eq, lte, type SQL, sql } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { formRefusal, Refusal } from '#lib/core/http/refusal.ts'
import { enqueueJob } from '#lib/core/jobs/jobs.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { DAY_MS } from '#lib/core/shared/time.ts'
import { requireConversation } from '../access.ts'
import { requireChat } from '../chat.ts'
import { requirePost } from '../message/post-permission.ts'
import { requireChatPlan } from '../relation.ts'
import type { ConversationId } from '../schema.ts'
import {
  type EditScheduledMessage,
  MAX_SCHEDULED_DAYS,
  SCHEDULED_LIMIT,
  type ScheduledMessageRef,
  type ScheduledMessageView,
  type ScheduleMessage,
} from './schema.ts'
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
  const { conversationId, messageId, body, mentions, replyTo } = input
  return inTenant(actor, async (tx) => {
    await requirePost(tx, actor, await requireConversation(tx, actor, conversationId))
    const sendAt = requireFuture(input.sendAt, now)
    await requireFree(tx, actor)
    const { tenantId, membershipId: authorId } = actor
    await tx
      .insert(scheduled)
      .values({
        tenantId,
        id: messageId,
        conversationId,
        authorId,
        body,
        mentions,
        replyToSeq: replyTo ?? null,
        sendAt,
      })
      .onConflictDoNothing()
    const [row] = await selectScheduled(tx, isOfAuthor(actor, messageId))
    if (!row) throw new Refusal('conflict')
    await enqueueSending(tenantId, row)
    return row
  })
}

/** The planned messages of the actor in a conversation, the next one first, with those that could not be sent. */
export async function listScheduled(
  actor: Actor,
  { conversationId }: ConversationId,
): Promise<{ messages: ScheduledMessageView[] }> {
  requireChat(actor)
  return inTenant(actor, async (tx) => {
    await requireConversation(tx, actor, conversationId)
    const isListed = and(eq(scheduled.authorId, actor.membershipId), eq(scheduled.conversationId, conversationId))
    return { messages: await selectScheduled(tx, isListed) }
  })
}

/**
 * Changes the text and the time of an own planned message. Refuses with plan_inactive, unprocessable as `scheduleChatMessage`,
 * and with not_found when it was sent or canceled.
 */
export async function editScheduled(
  actor: Actor,
  { messageId, body, sendAt: wanted }: EditScheduledMessage,
  now = new Date(),
): Promise<ScheduledMessageView> {
  requireChat(actor)
  requireChatPlan(actor)
  return inTenant(actor, async (tx) => {
    // Locked, so that it is not sent before the change.
    const [before] = await tx
      .select({ id: scheduled.id })
      .from(scheduled)
      .where(isOfAuthor(actor, messageId))
      .for('update')
    if (!before) throw new Refusal('not_found')
    const sendAt = requireFuture(wanted, now)
    await tx.update(scheduled).set({ body, sendAt, failure: null }).where(isOfAuthor(actor, messageId))
    const [row] = await selectScheduled(tx, isOfAuthor(actor, messageId))
    if (!row) throw new Refusal('not_found')
    await enqueueSending(actor.tenantId, row)
    return row
  })
}

/** Cancels an own planned message. Refuses with not_found when it was sent or canceled. */
export async function cancelScheduled(actor: Actor, { messageId }: ScheduledMessageRef): Promise<void> {
  requireChat(actor)
  return inTenant(actor, async (tx) => {
    const { rowCount } = await tx.delete(scheduled).where(isOfAuthor(actor, messageId))
    if (rowCount === 0) throw new Refusal('not_found')
  })
}

const isOfAuthor = ({ membershipId }: Actor, messageId: string): SQL | undefined =>
  and(eq(scheduled.id, messageId), eq(scheduled.authorId, membershipId))

function requireFuture(text: string, now: Date): Date {
  const at = new Date(text)
  const refuse = (reason: string) => new Refusal('unprocessable', { fields: { sendAt: [reason] } })
  if (at <= now) throw refuse('date_in_past')
  if (at.getTime() - now.getTime() > MAX_SCHEDULED_DAYS * DAY_MS) throw refuse('schedule_too_late')
  return at
}

async function requireFree(tx: Tx, actor: Actor): Promise<void> {
  const rows = await tx
    .select({ id: scheduled.id })
    .from(scheduled)
    .where(eq(scheduled.authorId, actor.membershipId))
    .limit(SCHEDULED_LIMIT)
  if (rows.length === SCHEDULED_LIMIT) throw formRefusal('many_scheduled')
}

function selectScheduled(tx: Tx, condition: SQL | undefined): Promise<ScheduledMessageView[]> {
  const { id: messageId, conversationId, body, sendAt, failure } = scheduled
  return tx
    .select({ messageId, conversationId, body, sendAt, failure })
    .from(scheduled)
    .where(condition)
    .orderBy(asc(sendAt), asc(messageId))
}

/** A job for each time that a message had: only the one of the current time finds it due. */
async function enqueueSending(tenantId: string, { messageId, sendAt }: ScheduledMessageView): Promise<void> {
  const singletonKey = `${messageId} ${sendAt.getTime()}`
  await enqueueJob('chat.sendScheduled', { tenantId, messageId }, { startAfter: sendAt, singletonKey })
}

/** SQL condition of the message that is due; its row is locked while it is sent. */
export const isDueMessage = (messageId: string, now: Date): SQL | undefined =>
  and(eq(scheduled.id, messageId), lte(scheduled.sendAt, now), sql`${scheduled.failure} is null`)
