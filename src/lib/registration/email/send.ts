import { and, eq, inArray, type SQL, sql } from 'drizzle-orm'
import { spendFollowUpEmails } from '#lib/billing/unconfirmed-emails/unconfirmed-emails.ts'
import type { Tx } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import { queueEmail } from '#lib/core/mail/mail.ts'
import type { RegistrationEmail } from '#lib/core/shared/event/live-event.ts'
import { addQueuedRecipients, type QueuedRecipient } from '#lib/outbox/create.ts'
import type { RegistrationEvent } from '../event.ts'
import { unsealJoinKey } from '../join-key.ts'
import { type registration, registrationEmail } from '../table.ts'
import { composeRegistrationEmail, type PreviousTime, type Recipient } from './compose.ts'
import { listUnsubscribedMembers, notifyRegistrants, planBatchNotification } from './notify-members.ts'

export type RegistrationRow = typeof registration.$inferSelect

export interface SendOptions {
  previousTime?: PreviousTime | null
  /** The message of the outbox to which the emails belong. */
  messageId?: string
  /** Emails of one staff action: sent with a delay, until which they can be recalled together. */
  batch?: { id: string; sendAfter: Date }
  /**
   * No action of staff or of the registrant caused it: to an unconfirmed address it spends the budgets of such emails.
   * Beyond them it is recorded as refused and not sent.
   */
  isFollowUp?: boolean
}

/**
 * Sends an email to each registrant who has not had this kind for this schedule, and notifies those who are members by
 * their other channels; idempotent and safe under concurrency. Members who turned off these emails get none. In the
 * surrounding transaction. Returns how many, without the refused ones.
 */
export async function sendEmails(
  tx: Tx,
  event: RegistrationEvent,
  rows: RegistrationRow[],
  kind: RegistrationEmail,
  now: Date,
  { previousTime = null, batch, messageId, isFollowUp = false }: SendOptions = {},
): Promise<number> {
  if (rows.length === 0) return 0
  const emailRef = { tenantId: event.tenantId, workshopId: event.id, sessionId: event.sessionId, kind }
  const inserted = await tx
    .insert(registrationEmail)
    .values(
      rows.map(({ id }) => ({
        ...emailRef,
        id: newId(),
        registrationId: id,
        scheduleVersion: event.scheduleVersion,
        batchId: batch?.id ?? null,
        createdAt: now,
      })),
    )
    .onConflictDoNothing()
    .returning({ id: registrationEmail.id, registrationId: registrationEmail.registrationId })
  const known = new Map(rows.map((row) => [row.id, row]))
  const memberIds = inserted.flatMap(({ registrationId }) => known.get(registrationId)?.memberId ?? [])
  const unsubscribed = await listUnsubscribedMembers(tx, kind, memberIds)
  const added = inserted.flatMap(({ registrationId }) => known.get(registrationId) ?? [])
  const refused = isFollowUp ? await spendBudgets(tx, event, added) : new Set<string>()
  await recordRefusals(tx, inserted, refused, now)
  const sent: [string, string][] = []
  const recipients: QueuedRecipient[] = []
  for (const { id, registrationId } of inserted) {
    const row = known.get(registrationId)
    const mailId =
      row && !refused.has(row.id) && !(row.memberId && unsubscribed.has(row.memberId))
        ? await queueRegistrationEmail(event, row, kind, now, { previousTime, ...(batch && { batch }) })
        : null
    if (!row || !mailId) continue
    sent.push([id, mailId])
    recipients.push({ id: row.id, email: row.email, name: row.name, locale: row.locale, mailId })
  }
  await recordMailIds(tx, sent)
  if (messageId) await addQueuedRecipients(tx, messageId, recipients)
  const [first] = inserted
  if (first && memberIds.length > 0) {
    const { tenantId, id: workshopId, sessionId } = event
    const previousStartAt = previousTime?.startAt?.toISOString()
    if (batch)
      await planBatchNotification(
        { tenantId, workshopId, sessionId, kind, batchId: batch.id, previousStartAt },
        batch.sendAfter,
      )
    else await notifyRegistrants(tx, event, { kind, key: first.id, memberIds, previousStartAt }, now)
  }
  return inserted.length - refused.size
}

/** Records that an email was not sent, since a budget of emails to unconfirmed addresses is spent. */
export async function recordRefusedEmail(
  tx: Tx,
  event: RegistrationEvent,
  registrationId: string,
  kind: RegistrationEmail,
  now: Date,
): Promise<void> {
  const { tenantId, id: workshopId, sessionId, scheduleVersion } = event
  const refused = { id: newId(), registrationId, kind, createdAt: now, refusedAt: now }
  await tx
    .insert(registrationEmail)
    .values({ tenantId, workshopId, sessionId, scheduleVersion, ...refused })
    .onConflictDoNothing()
}

/** Sends an email again, for example after a repeated registration. */
export async function resendEmail(
  tx: Tx,
  event: RegistrationEvent,
  row: RegistrationRow,
  kind: RegistrationEmail,
  now: Date,
): Promise<void> {
  const mailId = await queueRegistrationEmail(event, row, kind, now, {})
  if (!mailId) return
  await tx
    .update(registrationEmail)
    .set({ mailId, recalledAt: null, refusedAt: null })
    .where(and(isEmailOf(event, [row.id], kind), eq(registrationEmail.scheduleVersion, event.scheduleVersion)))
}

/**
 * Deletes the records of sent emails, so that they can be sent again, for example after a cancellation was reversed.
 */
export async function deleteEmailRecords(
  tx: Tx,
  event: RegistrationEvent,
  registrationIds: string[],
  kinds: RegistrationEmail[],
): Promise<void> {
  for (const kind of kinds) await tx.delete(registrationEmail).where(isEmailOf(event, registrationIds, kind))
}

/** Spends the budgets of these registrants whose addresses are unconfirmed. Returns the ids of those beyond them. */
async function spendBudgets(tx: Tx, event: RegistrationEvent, rows: readonly RegistrationRow[]): Promise<Set<string>> {
  const unconfirmed = rows.filter(({ addressConfirmedAt }) => addressConfirmedAt === null)
  const granted = await spendFollowUpEmails(tx, event.tenantId, unconfirmed)
  return new Set(unconfirmed.flatMap(({ id }, index) => (granted[index] ? [] : [id])))
}

async function recordRefusals(
  tx: Tx,
  inserted: readonly { id: string; registrationId: string }[],
  refused: ReadonlySet<string>,
  now: Date,
): Promise<void> {
  const ids = inserted.flatMap(({ id, registrationId }) => (refused.has(registrationId) ? [id] : []))
  if (ids.length > 0)
    await tx.update(registrationEmail).set({ refusedAt: now }).where(inArray(registrationEmail.id, ids))
}

/** Recipient of a registration's emails. */
const toRecipient = (row: RegistrationRow): Recipient => ({ ...row, key: unsealJoinKey(row) })

const isEmailOf = (event: RegistrationEvent, ids: string[], kind: RegistrationEmail): SQL | undefined =>
  and(
    eq(registrationEmail.workshopId, event.id),
    inArray(registrationEmail.registrationId, ids),
    eq(registrationEmail.kind, kind),
  )

function queueRegistrationEmail(
  event: RegistrationEvent,
  row: RegistrationRow,
  kind: RegistrationEmail,
  now: Date,
  options: SendOptions,
) {
  const email = composeRegistrationEmail(event, toRecipient(row), kind, now, options.previousTime)
  const { email: to, locale } = row
  const later = options.batch ? { sendAfter: options.batch.sendAfter } : {}
  return queueEmail({ tenantId: event.tenantId, to, locale, ...email, ...later })
}

async function recordMailIds(tx: Tx, sent: [string, string][]): Promise<void> {
  if (sent.length === 0) return
  const values = sql.join(
    sent.map(([id, mailId]) => sql`(${id}::uuid, ${mailId}::uuid)`),
    sql`, `,
  )
  await tx.execute(sql`update registration_email set mail_id = sent.mail_id from (values ${values}) sent (id, mail_id)
    where registration_email.tenant_id = current_tenant() and registration_email.id = sent.id`)
}
