import { and, desc, eq, isNotNull, or, sql } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { microsecondsOf, rowOfKey } from '#lib/core/db/keyset.ts'
import { InstantKey, readCursor, writeCursor } from '#lib/core/http/cursor.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { queueEmail, recallEmails } from '#lib/core/mail/mail.ts'
import { mail } from '#lib/core/mail/table.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { EMAIL_KINDS, type EmailKind, type RegistrationEmail } from '#lib/core/shared/event/live-event.ts'
import { MINUTE_MS } from '#lib/core/shared/time.ts'
import { recallProgramMessage } from '#lib/outbox/create.ts'
import { requireManagedWorkshop } from '#lib/workshop/permission.ts'
import { EmailSetting } from '#lib/workshop/schema.ts'
import { saveSettings } from '#lib/workshop/settings/save.ts'
import { eventStatus, type RegistrationEvent, requireEvent } from '../event.ts'
import { requireRegistrantAccess } from '../permission.ts'
import type { ListEmails, PreviewEmail, RecallEmails, SaveEmailSettings, SendTestEmails } from '../schema.ts'
import { registration, registrationEmail } from '../table.ts'
import { composeRegistrationEmail, type Recipient } from './compose.ts'
import { isRecipient } from './reminders.ts'
import { findSendWindow, type ReminderKind } from './rules.ts'

export interface ReminderEntry {
  kind: EmailKind
  setting: EmailSetting
  /** When it is sent automatically; null: it follows an action, or the time is unknown. */
  dueAt: Date | null
  /** Expired: unsent ones are not sent any more. */
  past: boolean
  /** Number of emails sent, failed of those, and planned. */
  sent: number
  failed: number
  planned: number
  /** Number of emails that were not sent, since a budget of emails to unconfirmed addresses was spent. */
  refused: number
}

export interface ReminderSchedule {
  entries: ReminderEntry[]
  startAt: Date | null
  timeZone: string
  /** The event did not take place, and no apology was sent. */
  owesApology: boolean
  /** Number of emails of all kinds, also by actions, that were refused beyond the budgets of unconfirmed addresses. */
  refused: number
}

/**
 * Reminder schedule of an event: the emails with their texts, numbers of recipients and times. Refuses with forbidden,
 * not_found.
 */
export function getReminderSchedule(
  actor: Actor,
  input: { workshopId: string },
  now = new Date(),
): Promise<ReminderSchedule> {
  const { workshopId } = input
  return inTenant(actor, async (tx) => {
    await requireRegistrantAccess(tx, actor, workshopId)
    const event = await requireEvent(tx, workshopId)
    const sent = await countSentByKind(tx, event)
    const kinds = event.type === 'masterclass' ? (['confirmed'] as const) : EMAIL_KINDS
    const entries: ReminderEntry[] = []
    for (const kind of kinds) {
      const setting = event.settings.emails[kind] ?? EmailSetting.parse({})
      const due = kind === 'confirmed' ? null : findSendWindow(kind, event)
      const past = due !== null && due.expiresAt <= now
      const counts = sent.get(kind) ?? { sent: 0, failed: 0, refused: 0 }
      const open = kind !== 'confirmed' && setting.on && !past && due !== null
      const all = open ? await countRecipients(tx, event, kind) : 0
      entries.push({
        kind,
        setting,
        dueAt: due?.sendAt ?? null,
        past,
        ...counts,
        planned: Math.max(0, all - counts.sent - counts.refused),
      })
    }
    const owesApology = eventStatus(event, now) === 'expired' && !event.isCanceled && !sent.has('apology')
    const refused = [...sent.values()].reduce((sum, counts) => sum + counts.refused, 0)
    return { entries, startAt: event.startAt, timeZone: event.timeZone, owesApology, refused }
  })
}

export interface SentEmail {
  id: string
  kind: RegistrationEmail
  name: string
  email: string
  registrationId: string
  subject: string | null
  state: 'queued' | 'sent' | 'delivered' | 'bounced' | 'failed' | 'recalled' | 'refused'
  error: string | null
  at: Date
  sentAt: Date | null
  /** Until then it can be recalled with the others of its batch. */
  batchId: string | null
  recallUntil: Date | null
}

/** Emails to the registrants of an event, newest first. Refuses with forbidden, not_found, invalid. */
export function listEmails(
  actor: Actor,
  input: ListEmails,
  now = new Date(),
): Promise<{ items: SentEmail[]; next: string | null }> {
  const { workshopId, cursor } = input
  const after = readCursor(InstantKey, cursor)
  return inTenant(actor, async (tx) => {
    await requireRegistrantAccess(tx, actor, workshopId)
    const older = after
      ? sql`(${registrationEmail.createdAt}, ${registrationEmail.id}) <
          ${rowOfKey(after)}`
      : undefined
    const rows = await tx
      .select({
        id: registrationEmail.id,
        kind: registrationEmail.kind,
        at: registrationEmail.createdAt,
        name: registration.name,
        email: registration.email,
        registrationId: registration.id,
        subject: mail.subject,
        state: mail.status,
        error: mail.error,
        sentAt: mail.sentAt,
        batchId: registrationEmail.batchId,
        refusedAt: registrationEmail.refusedAt,
        sendAfter: mail.sendAfter,
        micros: microsecondsOf(registrationEmail.createdAt),
      })
      .from(registrationEmail)
      .innerJoin(
        registration,
        and(
          eq(registration.tenantId, registrationEmail.tenantId),
          eq(registration.id, registrationEmail.registrationId),
        ),
      )
      .leftJoin(mail, eq(mail.id, registrationEmail.mailId))
      // Without an email: the member has turned these off.
      .where(
        and(
          eq(registrationEmail.workshopId, workshopId),
          or(isNotNull(registrationEmail.mailId), isNotNull(registrationEmail.refusedAt)),
          older,
        ),
      )
      .orderBy(desc(registrationEmail.createdAt), desc(registrationEmail.id))
      .limit(EMAIL_PAGE_SIZE + 1)
    const last = rows.length > EMAIL_PAGE_SIZE ? rows[EMAIL_PAGE_SIZE - 1] : undefined
    const items = rows.slice(0, EMAIL_PAGE_SIZE).map(({ micros: _, sendAfter, refusedAt, state, ...row }) => ({
      ...row,
      state: refusedAt ? ('refused' as const) : (state ?? ('queued' as const)),
      recallUntil: state === 'queued' && sendAfter && sendAfter > now ? sendAfter : null,
    }))
    return { items, next: last ? writeCursor(InstantKey, { at: last.micros, id: last.id }) : null }
  })
}

const EMAIL_PAGE_SIZE = 50

/**
 * Recalls the unsent emails of a bulk action. Returns how many. Refuses like requireManagedWorkshop, and with
 * not_found.
 */
export function recallBatch(actor: Actor, input: RecallEmails, now = new Date()): Promise<{ recalled: number }> {
  const { workshopId, batchId } = input
  return inTenant(actor, async (tx) => {
    await requireManagedWorkshop(tx, actor, workshopId)
    const ours = and(eq(registrationEmail.workshopId, workshopId), eq(registrationEmail.batchId, batchId))
    const rows = await tx.select({ mailId: registrationEmail.mailId }).from(registrationEmail).where(ours)
    if (rows.length === 0) throw new Refusal('not_found')
    const recalled = await recallEmails(
      tx,
      rows.flatMap(({ mailId }) => mailId ?? []),
    )
    await recallProgramMessage(tx, batchId)
    if (recalled.length > 0) {
      const which = sql`${registrationEmail.mailId} = any(${sql.param(recalled)}::uuid[])`
      await tx.update(registrationEmail).set({ recalledAt: now }).where(and(ours, which))
    }
    return { recalled: recalled.length }
  })
}

/** Saves which reminders are sent, and the tenant's own texts. Refuses like saveSettings of the workshop module. */
export async function saveEmailSettings(actor: Actor, input: SaveEmailSettings): Promise<void> {
  const { workshopId, emails } = input
  const before = await inTenant(actor, (tx) => requireEvent(tx, workshopId))
  await saveSettings(actor, { workshopId, settings: { emails: { ...before.settings.emails, ...emails } } })
}

export interface EmailPreview {
  subject: string
  html: string
  text: string
}

/** Preview of an email in a language. Refuses with forbidden, not_found. */
export function previewEmail(actor: Actor, input: PreviewEmail, now = new Date()): Promise<EmailPreview> {
  const { workshopId, kind, locale } = input
  return inTenant(actor, async (tx) => {
    await requireRegistrantAccess(tx, actor, workshopId)
    const event = await requireEvent(tx, workshopId)
    const { subject, body } = composeRegistrationEmail(event, sampleRecipient(actor, event, locale), kind, now)
    return { subject, ...body }
  })
}

/**
 * Sends the reminders, or one of them, to the actor as a test. Returns how many. Refuses like requireManagedWorkshop.
 */
export function sendTestEmails(actor: Actor, input: SendTestEmails, now = new Date()): Promise<{ sent: number }> {
  const { workshopId, kind: only } = input
  return inTenant(actor, async (tx) => {
    await requireManagedWorkshop(tx, actor, workshopId)
    const event = await requireEvent(tx, workshopId)
    const kinds = only ? [only] : EMAIL_KINDS.filter((kind) => event.settings.emails[kind]?.on !== false)
    for (const kind of kinds) {
      const { unsubscribe: _, ...composed } = composeRegistrationEmail(
        event,
        sampleRecipient(actor, event, actor.locale),
        kind,
        now,
      )
      const { tenantId, email: to, locale } = actor
      await queueEmail({ tenantId, to, locale, ...composed })
    }
    return { sent: kinds.length }
  })
}

/** Seconds during which a bulk action can be recalled. */

// A sample registration: its link leads to a refusal.
function sampleRecipient(actor: Actor, event: RegistrationEvent, locale: 'uk' | 'en'): Recipient {
  const name = `${actor.firstName} ${actor.lastName}`.trim() || actor.email
  const startedAt = event.startedAt ?? event.startAt
  return {
    id: event.id,
    email: actor.email,
    name,
    locale,
    timeZone: actor.timeZone,
    state: 'confirmed',
    icsSequence: 0,
    offeredUntil: null,
    key: 'A'.repeat(24),
    lastSeenAt: startedAt ? new Date(startedAt.getTime() + 34 * MINUTE_MS) : null,
  }
}

async function countSentByKind(tx: Tx, event: RegistrationEvent) {
  const { rows } = await tx.execute<{ kind: RegistrationEmail; sent: number; failed: number; refused: number }>(sql`
    select l.kind, count(*) filter (where l.refused_at is null)::int as sent,
      count(*) filter (where m.status in ('failed', 'bounced'))::int as failed,
      count(*) filter (where l.refused_at is not null)::int as refused
    from registration_email l left join mail m on m.id = l.mail_id
    where l.tenant_id = current_tenant() and l.workshop_id = ${event.id} and l.schedule_version = ${event.scheduleVersion}
      and l.recalled_at is null and m.status is distinct from 'recalled'
    group by l.kind`)
  return new Map(rows.map(({ kind, sent, failed, refused }) => [kind as string, { sent, failed, refused }]))
}

async function countRecipients(tx: Tx, event: RegistrationEvent, kind: ReminderKind): Promise<number> {
  const { rows } = await tx.execute<{ number: number }>(
    sql`select count(*)::int as number from ${registration} where ${isRecipient(event, kind)}`,
  )
  return rows[0]?.number ?? 0
}
