import { and, eq, sql } from 'drizzle-orm'
import { recordAuditEntry } from '#lib/audit/audit.ts'
import type { AuditAction } from '#lib/audit/schema.ts'
import type { AuditValues } from '#lib/audit/values-schema.ts'
import { requirePlan } from '#lib/billing/billing.ts'
import { canWriteInPlan } from '#lib/billing/rules.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { enqueueJob } from '#lib/core/jobs/jobs.ts'
import { recallEmails } from '#lib/core/mail/mail.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { requireVisibleMessage } from './outbox.ts'
import { isActionAllowed, MESSAGE_RECALL_SECONDS, type MessageAction } from './rules.ts'
import type { EditMessage, OutgoingMessageId } from './schema.ts'
import { outgoingMessage } from './table.ts'

const SEND_JOB = 'outbox.send'

/** Changes subject and text of a waiting message. Refuses with not_found, gone, invalid, conflict (a newer text). */
export function editMessage(actor: Actor, input: EditMessage): Promise<OutgoingMessageId> {
  requireAnyPlan(actor)
  const { messageId, revision, subject, text } = input
  return inTenant(actor, async (tx) => {
    const message = await lockMessage(tx, actor, messageId, 'edit')
    if (message.kind === 'event') throw new Refusal('gone', { fields: { form: ['message_of_event'] } })
    if (message.revision !== revision) throw new Refusal('conflict')
    if (message.kind !== 'invitations') requireTexts({ subject, text })
    await tx
      .update(outgoingMessage)
      .set({ subject, text, revision: revision + 1 })
      .where(eq(outgoingMessage.id, messageId))
    const before = { subject: message.subject, text: message.text }
    await auditOutboxChange(tx, actor, message, 'message.edited', { before, after: { subject, text } })
    return { messageId }
  })
}

/** Holds a message: nothing is sent until `scheduleMessage`. Refuses with not_found, gone. */
export function holdMessage(actor: Actor, input: OutgoingMessageId): Promise<OutgoingMessageId> {
  const { messageId } = input
  return inTenant(actor, async (tx) => {
    const message = await lockMessage(tx, actor, messageId, 'hold')
    if (message.state === 'held') return { messageId }
    await tx.update(outgoingMessage).set({ state: 'held' }).where(eq(outgoingMessage.id, messageId))
    await auditOutboxChange(tx, actor, message, 'message.held', {})
    return { messageId }
  })
}

/**
 * Sends a message: its job starts after MESSAGE_RECALL_SECONDS, until which it can be held or recalled. A repeated call does
 * nothing. Refuses with not_found, gone, unprocessable (without a text).
 */
export function scheduleMessage(actor: Actor, input: OutgoingMessageId, now = new Date()): Promise<OutgoingMessageId> {
  requireAnyPlan(actor)
  const { messageId } = input
  return inTenant(actor, async (tx) => {
    const message = await lockMessage(tx, actor, messageId, 'send')
    if (message.state === 'scheduled' || message.state === 'sending' || message.state === 'sent') return { messageId }
    if (message.kind === 'students' || message.kind === 'announcement') requireTexts(message)
    const earliest = new Date(now.getTime() + MESSAGE_RECALL_SECONDS * 1000)
    // Emails of an event are sent by the system at their planned time.
    const sendAt = message.kind === 'event' && message.sendAt && message.sendAt > earliest ? message.sendAt : earliest
    await tx.update(outgoingMessage).set({ state: 'scheduled', sendAt }).where(eq(outgoingMessage.id, messageId))
    if (message.kind !== 'event') {
      await enqueueJob(SEND_JOB, { tenantId: actor.tenantId, messageId }, { startAfter: sendAt })
    }
    await auditOutboxChange(tx, actor, message, 'message.scheduled', { after: { recipients: message.recipientCount } })
    return { messageId }
  })
}

/**
 * Recalls unsent emails: all of them until the job starts, the remaining ones while it runs. Returns the number of
 * recipients without an email. Refuses with not_found, gone (all emails were sent).
 */
export function recallMessage(actor: Actor, input: OutgoingMessageId): Promise<{ recalled: number }> {
  const { messageId } = input
  return inTenant(actor, async (tx) => {
    const message = await lockMessage(tx, actor, messageId, 'recall')
    if (message.state === 'recalled') return { recalled: 0 }
    return recallLocked(tx, actor, message)
  })
}

/** Deletes a draft. A second call does nothing. Refuses with gone. */
export function discardOutgoingMessage(actor: Actor, input: OutgoingMessageId): Promise<void> {
  const { messageId } = input
  return inTenant(actor, async (tx) => {
    const message = await lockMessage(tx, actor, messageId, 'discard')
    await tx
      .delete(outgoingMessage)
      .where(and(eq(outgoingMessage.id, messageId), eq(outgoingMessage.state, message.state)))
  })
}

type LockedMessage = Awaited<ReturnType<typeof requireVisibleMessage>>

async function recallLocked(tx: Tx, actor: Actor, message: LockedMessage): Promise<{ recalled: number }> {
  const { rows } = await tx.execute<{ mail_id: string }>(sql`
    select r.mail_id from outgoing_recipient r where r.tenant_id = current_tenant() and r.message_id = ${message.id}
      and r.state = 'queued' and r.mail_id is not null`)
  // The trigger of `mail` sets the state of these recipients.
  const emails = await recallEmails(
    tx,
    rows.map(({ mail_id }) => mail_id),
  )
  const planned = await tx.execute(sql`update outgoing_recipient set state = 'recalled'
    where tenant_id = current_tenant() and message_id = ${message.id} and state = 'planned'`)
  await tx.update(outgoingMessage).set({ state: 'recalled' }).where(eq(outgoingMessage.id, message.id))
  const recalled = emails.length + (planned.rowCount ?? 0)
  await auditOutboxChange(tx, actor, message, 'message.recalled', { after: { recipients: recalled } })
  return { recalled }
}

/** Locks the message against its job and other members. A message in the requested state is no refusal. */
async function lockMessage(tx: Tx, actor: Actor, messageId: string, action: MessageAction): Promise<LockedMessage> {
  await tx
    .select({ id: outgoingMessage.id })
    .from(outgoingMessage)
    .where(eq(outgoingMessage.id, messageId))
    .for('update')
  const message = await requireVisibleMessage(tx, actor, messageId)
  if (isActionAllowed(action, message.state) || isDone(action, message)) return message
  throw new Refusal('gone', { fields: { form: [action === 'recall' ? 'recall_too_late' : 'message_state'] } })
}

function isDone(action: MessageAction, { state }: LockedMessage): boolean {
  if (action === 'hold') return state === 'held'
  if (action === 'recall') return state === 'recalled'
  return action === 'send' && (state === 'scheduled' || state === 'sending' || state === 'sent')
}

/** Messages belong to both plan groups: one of them must be active. Holding and recalling is always possible. */
function requireAnyPlan(actor: Actor): void {
  if (!canWriteInPlan(actor, 'workshop', new Date()).allow) requirePlan(actor, 'lms')
}

function requireTexts(texts: { subject: string; text: string }): void {
  const missing = (['subject', 'text'] as const).filter((field) => texts[field] === '')
  if (missing.length > 0) {
    throw new Refusal('invalid', { fields: Object.fromEntries(missing.map((field) => [field, ['required']])) })
  }
}

function auditOutboxChange(
  tx: Tx,
  actor: Actor,
  message: LockedMessage,
  action: AuditAction,
  values: { before?: AuditValues; after?: AuditValues },
): Promise<void> {
  return recordAuditEntry(tx, actor, {
    action,
    objectId: message.id,
    objectName: message.subject || message.kind,
    ...values,
  })
}
