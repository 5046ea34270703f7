import { and, eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { formRefusal, Refusal } from '#lib/core/http/refusal.ts'
import { type Actor, toRequestingActor } from '#lib/core/shared/actor.ts'
import type { Locale } from '#lib/core/shared/locale.ts'
import type { MESSAGE_OBJECTS, OutgoingMessageKind, OutgoingMessageState } from '#lib/core/shared/outgoing-message.ts'
import { outgoingMessage } from './table.ts'

export interface NewMessage {
  /** Chosen by the form, so that posting it twice creates one message. */
  id: string
  kind: Exclude<OutgoingMessageKind, 'event'>
  subject: string
  text: string
  objectType?: (typeof MESSAGE_OBJECTS)[number]
  objectId?: string
}

/**
 * Creates a message as a draft, in the surrounding transaction; nothing is sent before `sendMessage`. `recipients` selects
 * `id`, `email`, `name` and `locale`. The caller checks the permission. A second call with the same id changes nothing and
 * returns false. Refuses with unprocessable (nobody_selected), not_found (the id of another message).
 */
export async function createMessage(tx: Tx, actor: Actor, input: NewMessage, recipients: SQL): Promise<boolean> {
  const [created] = await tx
    .insert(outgoingMessage)
    .values({
      ...input,
      tenantId: actor.tenantId,
      state: 'draft',
      by: actor.membershipId,
      actor: toRequestingActor(actor),
    })
    .onConflictDoNothing()
    .returning({ id: outgoingMessage.id })
  if (!created) {
    await requireOwnMessage(tx, actor, input.id)
    return false
  }
  const { rowCount } = await tx.execute(sql`
    insert into outgoing_recipient (tenant_id, message_id, id, email, name, locale, state)
    select current_tenant(), ${input.id}::uuid, r.id, r.email, r.name, r.locale, 'planned' from (${recipients}) r
    on conflict do nothing`)
  if (!rowCount) throw formRefusal('nobody_selected')
  await tx.update(outgoingMessage).set({ recipientCount: rowCount }).where(eq(outgoingMessage.id, input.id))
  return true
}

async function requireOwnMessage(tx: Tx, actor: Actor, messageId: string): Promise<void> {
  const [message] = await tx
    .select({ id: outgoingMessage.id })
    .from(outgoingMessage)
    .where(and(eq(outgoingMessage.id, messageId), eq(outgoingMessage.by, actor.membershipId)))
  if (!message) throw new Refusal('not_found')
}

export interface ProgramMessage {
  /** Derived from the cause, so that there is one message for each. */
  id: string
  subject: string
  template: string
  objectId: string
  /** When the system sends it. */
  sendAt: Date
}

/**
 * Records an email of an event that the system will send, so that it can be viewed and held before. An existing entry
 * whose sending has not started gets the new time and title.
 */
export async function planProgramMessage(tx: Tx, tenantId: string, message: ProgramMessage): Promise<void> {
  await tx
    .insert(outgoingMessage)
    .values({ ...message, tenantId, kind: 'event', objectType: 'workshop', state: 'scheduled', text: '' })
    .onConflictDoUpdate({
      target: [outgoingMessage.tenantId, outgoingMessage.id],
      set: { sendAt: message.sendAt, subject: message.subject },
      setWhere: eq(outgoingMessage.state, 'scheduled'),
    })
}

/** The state of a message, locked until the end of the transaction; null when there is none. */
export async function lockMessageState(tx: Tx, messageId: string): Promise<OutgoingMessageState | null> {
  const [message] = await tx
    .select({ state: outgoingMessage.state })
    .from(outgoingMessage)
    .where(eq(outgoingMessage.id, messageId))
    .for('update')
  return message?.state ?? null
}

export interface QueuedRecipient {
  id: string
  email: string
  name: string
  locale: Locale
  mailId: string
}

/** Adds recipients whose emails the system has queued in this transaction. */
export async function addQueuedRecipients(tx: Tx, messageId: string, rows: readonly QueuedRecipient[]): Promise<void> {
  if (rows.length === 0) return
  await tx.execute(sql`
    with added as (
      insert into outgoing_recipient (tenant_id, message_id, id, email, name, locale, state, mail_id)
      select current_tenant(), ${messageId}::uuid, r.id, r.email, r.name, r.locale, 'queued', r."mailId"
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        as r(id uuid, email text, name text, locale text, "mailId" uuid)
      on conflict do nothing returning 1)
    update outgoing_message set recipient_count = recipient_count + (select count(*) from added)
    where tenant_id = current_tenant() and id = ${messageId}`)
}

/** Marks a message of the system as recalled, after its emails were recalled. */
export async function recallProgramMessage(tx: Tx, messageId: string): Promise<void> {
  await tx.update(outgoingMessage).set({ state: 'recalled' }).where(eq(outgoingMessage.id, messageId))
}

/** Deletes planned messages of an event without a recipient: all of them, or those with the given ids. */
export async function dropPlannedMessages(tx: Tx, objectId: string, messageIds?: readonly string[]): Promise<void> {
  await tx
    .delete(outgoingMessage)
    .where(
      and(
        eq(outgoingMessage.objectId, objectId),
        eq(outgoingMessage.kind, 'event'),
        eq(outgoingMessage.state, 'scheduled'),
        eq(outgoingMessage.recipientCount, 0),
        messageIds ? inArray(outgoingMessage.id, [...messageIds]) : undefined,
      ),
    )
}
