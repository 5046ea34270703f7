import { createHash } from 'node:crypto'
import { and, asc, eq, gt, inArray, isNull, sql } from 'drizzle-orm'
import { addressOf } from '#lib/core/config/config.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { getTranslator } from '#lib/core/i18n/i18n.ts'
import { composeEmail } from '#lib/core/mail/email-body.ts'
import { sendEmail } from '#lib/core/mail/mail.ts'
import type { RegistrationEmail, RegistrationState } from '#lib/core/shared/event/live-event.ts'
import { findEvent, type RegistrationEvent } from '../event.ts'
import { digestKey } from '../join-key.ts'
import { RECALL_SECONDS } from '../schema.ts'
import { isOfEvent } from '../seat.ts'
import { registration, registrationWish } from '../table.ts'
import { REMINDER_PAGE_SIZE } from './reminders.ts'
import { scheduleReminders } from './schedule-reminders.ts'
import { type SendOptions, sendEmails } from './send.ts'
import { formatDateTime } from './time-texts.ts'

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
  notify: boolean
  /** Previous time. */
  was: { startAt: string | null; timeZone: string }
}

/**
 * An event has a new time: reschedules its reminders and, if requested, emails all registrants both times with the
 * changed calendar entry. Nothing is sent about a past time.
 */
export async function announceRescheduled({ tenantId, workshopId, notify, was }: Rescheduled, now = new Date()) {
  const event = await inTenant({ tenantId }, async (tx) => {
    const found = await findEvent(tx, workshopId, null)
    if (found) await scheduleReminders(tx, found, now)
    return found
  })
  if (!event || !notify || !event.isPublished || event.isCanceled || !event.startAt || event.startAt <= now) return 0
  const before = { startAt: was.startAt ? new Date(was.startAt) : null, timeZone: was.timeZone }
  const states = ['confirmed', 'pending', 'waitlisted'] as const
  return emailRegistrants(event, 'rescheduled', states, now, { previousTime: before })
}

/** An event is canceled: emails its registrants and removes the entry from their calendars. */
export async function announceCanceled(
  { tenantId, workshopId, notify }: EventRef & { notify: boolean },
  now = new Date(),
) {
  if (!notify) return 0
  const showings = await inTenant({ tenantId }, (tx) =>
    tx
      .selectDistinct({ sessionId: registration.sessionId })
      .from(registration)
      .where(eq(registration.workshopId, workshopId)),
  )
  let sent = 0
  for (const { sessionId } of showings) {
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
  const id = batchIdOf(event, kind)
  const batch = { id, sendAfter: new Date(now.getTime() + RECALL_SECONDS * 1000) }
  let after = '00000000-0000-0000-0000-000000000000'
  let sent = 0
  for (;;) {
    const rows = await inTenant({ tenantId }, async (tx) => {
      const page = await tx
        .select()
        .from(registration)
        .where(and(isOfEvent(event), inArray(registration.state, [...states]), gt(registration.id, after)))
        .orderBy(asc(registration.id))
        .limit(REMINDER_PAGE_SIZE)
      sent += await sendEmails(tx, event, page, kind, now, { ...options, batch })
      return page
    })
    const last = rows.at(-1)
    if (!last || rows.length < REMINDER_PAGE_SIZE) return sent
    after = last.id
  }
}

// The same for every run of the same job: a UUID derived from the event and the kind (RFC 9562, version 8).
function batchIdOf({ id, sessionId, scheduleVersion }: RegistrationEvent, kind: RegistrationEmail): string {
  const hex = createHash('sha256').update(`${id} ${sessionId} ${scheduleVersion} ${kind}`).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

async function emailNextEventRequests(tx: Tx, workshopId: string, now: Date): Promise<number> {
  const event = await findEvent(tx, workshopId, null)
  if (!event?.isPublished || event.isCanceled || event.access === 'students' || event.access === 'paid') return 0
  if (event.startAt && event.startAt <= now) return 0
  const due = tx
    .select({ id: registrationWish.id })
    .from(registrationWish)
    .where(and(isNull(registrationWish.toldAt), sql`${registrationWish.workshopId} <> ${workshopId}`))
    .orderBy(asc(registrationWish.id))
    .limit(REMINDER_PAGE_SIZE)
    .for('update', { skipLocked: true })
  const wishes = await tx
    .update(registrationWish)
    .set({ toldAt: now })
    .where(sql`${registrationWish.id} in (${due})`)
    .returning()
  for (const wish of wishes) await sendNextEventEmail(event, wish)
  return wishes.length
}

async function sendNextEventEmail(event: RegistrationEvent, wish: typeof registrationWish.$inferSelect): Promise<void> {
  const { locale, timeZone } = wish
  const t = getTranslator(locale)
  const when = event.startAt ? formatDateTime(t, event.startAt, timeZone, locale) : ''
  const names = { title: event.title, school: event.school.name, when }
  const letter = composeEmail(t, {
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
  // A person may have asked at several events, or again: each event is announced once.
  const onceKey = `next/${event.id}/${digestKey(wish.email)}`
  await sendEmail({ tenantId: event.tenantId, to: wish.email, locale, subject, body: letter, onceKey })
}
