import { and, asc, eq, gt, inArray, isNull, sql } from 'drizzle-orm'
import { addressOf } from '#lib/core/config/config.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { getTranslator } from '#lib/core/i18n/i18n.ts'
import { composeEmail } from '#lib/core/mail/email-body.ts'
import { sendEmail } from '#lib/core/mail/mail.ts'
import type { RegistrationEmail, RegistrationState } from '#lib/core/shared/event/live-event.ts'
import { dropPlannedMessages } from '#lib/outbox/create.ts'
import { findEvent, type RegistrationEvent } from '../event.ts'
import { digestKey } from '../join-key.ts'
import { REGISTRATION_RECALL_SECONDS } from '../schema.ts'
import { isOfEvent } from '../seat.ts'
import { nextEventRequest, registration } from '../table.ts'
import { maySendMessage, messageIdOf, planEventMessage } from './message.ts'
import { REMINDER_PAGE_SIZE } from './reminders.ts'
import { scheduleReminders } from './schedule-reminders.ts'
import { type SendOptions, sendEmails } from './send.ts'
import { formatEmailDateTime } from './time-texts.ts'

interface EventRef {
  tenantId: string
  workshopId: string
}

/** An event is published: schedules its reminders and emails everybody who asked to be notified of the next event. */
export async function announcePublished({ tenantId, workshopId }: EventRef, now = new Date()): Promise<void> {
  await inTenant({ tenantId }, async (tx) => {
    const event = await findEvent(tx, workshopId, null)
    if (event) await scheduleReminders(tx, event, now)
  })
  for (;;) {
    const sentCount = await inTenant({ tenantId }, (tx) => emailNextEventRequests(tx, workshopId, now))
    if (sentCount < REMINDER_PAGE_SIZE) return
  }
}

export interface Rescheduled extends EventRef {
  /** The session of an automated webinar that has a new time. */
  sessionId?: string
  notify: boolean
  /** Previous time. */
  was: { startAt: string | null; timeZone: string }
}

/**
 * An event, or one session of it, has a new time: reschedules its reminders and, if requested, emails its registrants both
 * times with the changed calendar entry. Nothing is sent about a past time.
 */
export async function announceRescheduled(
  { tenantId, workshopId, sessionId, notify, was }: Rescheduled,
  now = new Date(),
) {
  const event = await inTenant({ tenantId }, async (tx) => {
    // The reminders of the other sessions have the previous version of the schedule too.
    const others = sessionId ? await listComingSessions(tx, { workshopId, sessionId }, now) : []
    for (const other of others) {
      const otherEvent = await findEvent(tx, workshopId, other)
      if (otherEvent) await scheduleReminders(tx, otherEvent, now)
    }
    const rows = await findEvent(tx, workshopId, sessionId ?? null)
    if (rows) await scheduleReminders(tx, rows, now)
    return rows
  })
  if (!event || !notify || !event.isPublished || event.isCanceled || !event.startAt || event.startAt <= now) return 0
  const before = { startAt: was.startAt ? new Date(was.startAt) : null, timeZone: was.timeZone }
  const states = ['confirmed', 'pending', 'waitlisted'] as const
  return emailRegistrants(event, 'rescheduled', states, now, { previousTime: before })
}

async function listComingSessions(
  tx: Tx,
  { workshopId, sessionId }: { workshopId: string; sessionId: string },
  now: Date,
): Promise<string[]> {
  const { rows } = await tx.execute<{ id: string }>(sql`select s.id from workshop_session s
    where s.tenant_id = current_tenant() and s.workshop_id = ${workshopId} and s.id <> ${sessionId} and s.kind = 'auto'
      and s.canceled_at is null and s.start_at > ${now.toISOString()} and exists (select 1 from registration r
        where r.tenant_id = s.tenant_id and r.session_id = s.id and r.state = 'confirmed')
    order by s.start_at, s.id`)
  return rows.map(({ id }) => id)
}

/** An event is canceled: emails its registrants and removes the entry from their calendars. */
export async function announceCanceled(
  { tenantId, workshopId, notify }: EventRef & { notify: boolean },
  now = new Date(),
) {
  await inTenant({ tenantId }, (tx) => dropPlannedMessages(tx, workshopId))
  if (!notify) return 0
  const sessions = await inTenant({ tenantId }, (tx) =>
    tx
      .selectDistinct({ sessionId: registration.sessionId })
      .from(registration)
      .where(eq(registration.workshopId, workshopId)),
  )
  let sent = 0
  for (const { sessionId } of sessions) {
    const event = await inTenant({ tenantId }, (tx) => findEvent(tx, workshopId, sessionId))
    if (!event?.isCanceled || event.finishedAt || (event.startAt && event.startAt <= now && sessionId)) continue
    sent += await emailRegistrants(event, 'canceled', ['confirmed', 'pending', 'waitlisted'], now)
  }
  return sent
}

/** Emails all registrants in the given states, page by page; idempotent. Can be recalled for a minute. */
export async function emailRegistrants(
  event: RegistrationEvent,
  kind: RegistrationEmail,
  states: readonly RegistrationState[],
  now: Date,
  options: SendOptions = {},
): Promise<number> {
  const { tenantId } = event
  const id = messageIdOf(event, kind)
  const batch = { id, sendAfter: new Date(now.getTime() + REGISTRATION_RECALL_SECONDS * 1000) }
  let after = '00000000-0000-0000-0000-000000000000'
  let sent = 0
  for (;;) {
    const rows = await inTenant({ tenantId }, async (tx) => {
      await planEventMessage(tx, event, kind, batch.sendAfter)
      if (!(await maySendMessage(tx, event, kind))) return []
      const page = await tx
        .select()
        .from(registration)
        .where(and(isOfEvent(event), inArray(registration.state, [...states]), gt(registration.id, after)))
        .orderBy(asc(registration.id))
        .limit(REMINDER_PAGE_SIZE)
      sent += await sendEmails(tx, event, page, kind, now, { ...options, batch, messageId: id, isFollowUp: true })
      return page
    })
    const last = rows.at(-1)
    if (!last || rows.length < REMINDER_PAGE_SIZE) return sent
    after = last.id
  }
}

async function emailNextEventRequests(tx: Tx, workshopId: string, now: Date): Promise<number> {
  const event = await findEvent(tx, workshopId, null)
  if (!event?.isPublished || event.isCanceled || event.access === 'students' || event.access === 'paid') return 0
  if (event.startAt && event.startAt <= now) return 0
  const due = tx
    .select({ id: nextEventRequest.id })
    .from(nextEventRequest)
    .where(and(isNull(nextEventRequest.notifiedAt), sql`${nextEventRequest.workshopId} <> ${workshopId}`))
    .orderBy(asc(nextEventRequest.id))
    .limit(REMINDER_PAGE_SIZE)
    .for('update', { skipLocked: true })
  const requests = await tx
    .update(nextEventRequest)
    .set({ notifiedAt: now })
    .where(sql`${nextEventRequest.id} in (${due})`)
    .returning()
  for (const request of requests) await sendNextEventEmail(event, request)
  return requests.length
}

async function sendNextEventEmail(
  event: RegistrationEvent,
  request: typeof nextEventRequest.$inferSelect,
): Promise<void> {
  const { locale, timeZone } = request
  const t = getTranslator(locale)
  const when = event.startAt ? formatEmailDateTime(t, event.startAt, timeZone, locale) : ''
  const names = { title: event.title, school: event.school.name, when }
  const body = composeEmail(t, {
    school: event.school.name,
    preheader: when || event.title,
    heading: event.title,
    paragraphs: [t('registration:email.next.text', names), ...(when ? [when] : [])],
    button: {
      label: t('registration:email.next.button'),
      href: addressOf(event.school.subdomain, `/workshops/register/${event.id}?locale=${locale}`),
    },
    footnote: t('registration:email.next.footnote'),
  })
  const subject = t('registration:email.next.subject', names)
  // A person may have sent several requests: each event is announced once.
  const onceKey = `next/${event.id}/${digestKey(request.email)}`
  await sendEmail({ tenantId: event.tenantId, to: request.email, locale, subject, body, onceKey })
}
