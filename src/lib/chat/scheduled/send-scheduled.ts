import { and, eq, sql } from 'drizzle-orm'
import { getTenantPlans } from '#lib/billing/billing.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { effectiveRoles } from '#lib/core/shared/role.ts'
import { membership } from '#lib/user/table.ts'
import type { ChatActor } from '../access.ts'
import { requireChat } from '../chat.ts'
import { postMessage } from '../message/send.ts'
import { isDueMessage } from './scheduled.ts'
import type { ScheduledFailure } from './schema.ts'
import { chatScheduledMessage as scheduled } from './table.ts'

/**
 * Job handler: sends a planned message that is due, once, and deletes it in the same transaction. Nothing happens when it
 * was canceled, moved or sent. When its author may not send it any more, the reason is stored for the author.
 */
export async function sendScheduled(
  { tenantId, messageId }: { tenantId: string; messageId: string },
  now = new Date(),
): Promise<void> {
  try {
    await inTenant({ tenantId }, (tx) => sendDue(tx, { tenantId, messageId, now }))
  } catch (error) {
    const failure = failureOfSending(error)
    if (!failure) throw error
    await inTenant({ tenantId }, (tx) => tx.update(scheduled).set({ failure }).where(isDueMessage(messageId, now)))
  }
}

async function sendDue(
  tx: Tx,
  { tenantId, messageId, now }: { tenantId: string; messageId: string; now: Date },
): Promise<void> {
  const [due] = await tx.select().from(scheduled).where(isDueMessage(messageId, now)).for('update')
  if (!due) return
  const { conversationId, body, mentions, replyToSeq, authorId } = due
  const actor = await loadAuthor(tx, tenantId, authorId)
  requireChat(actor)
  await postMessage(actor, {
    conversationId,
    messageId,
    body,
    mentions,
    ...(replyToSeq === null ? {} : { replyTo: replyToSeq }),
  })
  await tx.delete(scheduled).where(eq(scheduled.id, messageId))
}

async function loadAuthor(tx: Tx, tenantId: string, membershipId: string): Promise<ChatActor> {
  const [member] = await tx
    .select({ accountType: membership.accountType, roles: membership.roles, blockedAt: membership.blockedAt })
    .from(membership)
    .where(and(eq(membership.tenantId, sql`current_tenant()`), eq(membership.id, membershipId)))
  if (!member || member.blockedAt) throw new Refusal('forbidden')
  if (member.accountType !== 'ACCOUNT_TYPE_STUDENT') {
    const { plans } = await getTenantPlans(tx)
    if (!plans.some(({ group, state }) => group === 'lms' && state === 'current')) throw new Refusal('plan_inactive')
  }
  return { tenantId, membershipId, roles: effectiveRoles(member.accountType, member.roles) }
}

function failureOfSending(error: unknown): ScheduledFailure | null {
  if (!(error instanceof Refusal)) return null
  if (error.code === 'plan_inactive') return 'plan_inactive'
  return error.code === 'forbidden' || error.code === 'not_found' ? 'forbidden' : null
}
