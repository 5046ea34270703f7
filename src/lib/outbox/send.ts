import { eq, sql } from 'drizzle-orm'
import { type DailyEmailKind, spendDailyEmails } from '#lib/billing/daily-emails.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import type { JobRun } from '#lib/core/jobs/jobs.ts'
import { canDeliverTo } from '#lib/core/mail/deliverability.ts'
import type { EmailBody } from '#lib/core/mail/email-body.ts'
import { queueEmail } from '#lib/core/mail/mail.ts'
import { restoreActor } from '#lib/core/shared/actor.ts'
import type { Locale } from '#lib/core/shared/locale.ts'
import type { OutgoingMessageKind } from '#lib/core/shared/outgoing-message.ts'
import { outgoingMessage } from './table.ts'

const BATCH = 100

export interface MessageRecipient {
  id: string
  email: string
  name: string
  locale: Locale
}

/** The context of a batch of recipients. */
export interface MessageBatch {
  tx: Tx
  actor: Actor
  message: { id: string; subject: string; text: string }
  recipients: readonly MessageRecipient[]
}

/** Reasons why a recipient gets no email: keys of `outbox:reason`. */
export type ExclusionReason = 'blocked' | 'already_accepted' | 'emails_of_day' | 'undeliverable' | 'too_many' | 'gone'

/** How the module that owns the recipients sends a kind of message. */
export interface MessageSender {
  /** The daily limit that the emails count towards. */
  budget: DailyEmailKind
  /** Recipients of the batch that get no email, before anything is written for the others. */
  exclude(batch: MessageBatch): Promise<Map<string, ExclusionReason>>
  /** The email to one recipient, or the reason why there is none. */
  compose(
    batch: MessageBatch,
    recipient: MessageRecipient,
  ): Promise<{ subject: string; body: EmailBody } | ExclusionReason>
  /** Called with the email of the outbox that was composed for a recipient. */
  noteEmail?(batch: MessageBatch, recipient: MessageRecipient, mailId: string): Promise<void>
}

/** The senders by kind; passed in by the registry of jobs, because their modules are above this one. */
export type MessageSenders = Record<Exclude<OutgoingMessageKind, 'event'>, MessageSender>

/**
 * Sends a message, batch by batch: the emails of a batch and the states of its recipients are one transaction, so that
 * an interrupted job continues where it stopped and nobody gets two emails. Sends nothing before `sendAt`, and stops as
 * soon as the message is held or recalled.
 */
export async function sendOutgoingMessage(
  { tenantId, messageId }: { tenantId: string; messageId: string },
  senders: MessageSenders,
  { signal }: Pick<JobRun, 'signal'>,
  now: () => Date = () => new Date(),
): Promise<void> {
  for (;;) {
    signal.throwIfAborted()
    const processed = await inTenant({ tenantId }, (tx) => sendBatch(tx, messageId, senders, now()))
    if (processed === 0) return
  }
}

async function sendBatch(tx: Tx, messageId: string, senders: MessageSenders, now: Date): Promise<number> {
  // The same lock as in hold and recall.
  const [message] = await tx.select().from(outgoingMessage).where(eq(outgoingMessage.id, messageId)).for('update')
  if (!message?.actor || message.kind === 'event') return 0
  if (message.state !== 'scheduled' && message.state !== 'sending') return 0
  if (message.sendAt && message.sendAt > now) return 0
  const { rows } = await tx.execute<MessageRecipient & Record<string, unknown>>(sql`
    select id, email, name, locale from outgoing_recipient
    where tenant_id = current_tenant() and message_id = ${messageId} and state = 'planned' order by id limit ${BATCH}`)
  if (rows.length === 0) {
    // The trigger of `mail` ends the message with its last email; a message without emails is ended here.
    await tx.execute(sql`update outgoing_message set state = 'sent', sent_at = coalesce(sent_at, now())
      where tenant_id = current_tenant() and id = ${messageId} and not exists (select 1 from outgoing_recipient r
        where r.tenant_id = current_tenant() and r.message_id = ${messageId} and r.state = 'queued')`)
    return 0
  }
  const actor = restoreActor(message.actor)
  const batch: MessageBatch = { tx, actor, message, recipients: rows }
  await saveOutcomes(tx, messageId, await queueBatch(batch, senders[message.kind]))
  return rows.length
}

interface SendOutcome {
  id: string
  mailId: string | null
  reason: ExclusionReason | null
}

async function queueBatch(batch: MessageBatch, sender: MessageSender): Promise<SendOutcome[]> {
  const { tx, actor, message, recipients } = batch
  const excluded = await sender.exclude(batch)
  for (const { id, email } of recipients) {
    if (!excluded.has(id) && !(await canDeliverTo(email))) excluded.set(id, 'undeliverable')
  }
  const remaining = recipients.filter(({ id }) => !excluded.has(id))
  const { granted } =
    remaining.length > 0
      ? await spendDailyEmails(tx, actor, sender.budget, remaining.length, { allowsPartial: true })
      : { granted: 0 }
  for (const { id } of remaining.slice(granted)) excluded.set(id, 'emails_of_day')
  const outcomes: SendOutcome[] = [...excluded].map(([id, reason]) => ({ id, mailId: null, reason }))
  for (const recipient of remaining.slice(0, granted)) {
    const { id, email: to, locale } = recipient
    const composed = await sender.compose(batch, recipient)
    if (typeof composed === 'string') {
      outcomes.push({ id, mailId: null, reason: composed })
      continue
    }
    const onceKey = `outbox:${message.id}:${id}`
    const mailId = await queueEmail({ tenantId: actor.tenantId, to, locale, ...composed, onceKey })
    if (mailId) await sender.noteEmail?.(batch, recipient, mailId)
    outcomes.push({ id, mailId, reason: null })
  }
  return outcomes
}

async function saveOutcomes(tx: Tx, messageId: string, outcomes: readonly SendOutcome[]): Promise<void> {
  const failed = outcomes.filter(({ reason }) => reason !== null).length
  await tx.execute(sql`update outgoing_recipient r
    set state = case when o.reason is null then 'queued' else 'failed' end, reason = o.reason, mail_id = o."mailId"
    from jsonb_to_recordset(${JSON.stringify(outcomes)}::jsonb) as o(id uuid, "mailId" uuid, reason text)
    where r.tenant_id = current_tenant() and r.message_id = ${messageId} and r.id = o.id`)
  await tx.execute(sql`update outgoing_message set state = 'sending', failed_count = failed_count + ${failed}
    where tenant_id = current_tenant() and id = ${messageId}`)
}
