import { createHash } from 'node:crypto'
import { and, asc, eq, gt, inArray, isNull, sql } from 'drizzle-orm'
import { addressOf } from '#lib/core/config/config.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { translator } from '#lib/core/i18n/i18n.ts'
import { composeLetter } from '#lib/core/mail/letter.ts'
import { sendMail } from '#lib/core/mail/mail.ts'
import type { RegistrationLetter, RegistrationState } from '#lib/core/shared/event/live-event.ts'
import { type EventRow, findEvent } from '../event.ts'
import { digestOf } from '../key.ts'
import { RECALL_SECONDS } from '../schema.ts'
import { ofEvent } from '../seat.ts'
import { registration, registrationWish } from '../table.ts'
import { planLetters } from './plan.ts'
import { PAGE } from './remind.ts'
import { type Sending, writeLetters } from './send.ts'
import { whenWords } from './time-texts.ts'

interface OfEvent {
  tenantId: string
  workshopId: string
}

/** An event is there for everybody: its ladder is planned, and whoever asked to hear of the next one does. */
export async function tellPublished({ tenantId, workshopId }: OfEvent, now = new Date()): Promise<void> {
  await inTenant({ tenantId }, async (tx) => {
    const event = await findEvent(tx, workshopId, null)
    if (event) await planLetters(tx, event, now)
  })
  for (;;) {
    const told = await inTenant({ tenantId }, (tx) => tellWishes(tx, workshopId, now))
    if (told < PAGE) return
  }
}

export interface Rescheduled extends OfEvent {
  notify: boolean
  /** What it was before. */
  was: { startAt: string | null; timeZone: string }
}

/**
 * An event has a new time: the ladder is planned anew and, where the staff wanted it, everybody who is coming is told
 * both times, with the changed calendar entry. Nothing is said of a time that has passed.
 */
export async function tellRescheduled({ tenantId, workshopId, notify, was }: Rescheduled, now = new Date()) {
  const event = await inTenant({ tenantId }, async (tx) => {
    const found = await findEvent(tx, workshopId, null)
    if (found) await planLetters(tx, found, now)
    return found
  })
  if (!event || !notify || !event.published || event.canceled || !event.startAt || event.startAt <= now) return 0
  const before = { startAt: was.startAt ? new Date(was.startAt) : null, timeZone: was.timeZone }
  const states = ['confirmed', 'pending', 'waitlisted'] as const
  return tellAll(event, 'rescheduled', states, now, { was: before })
}

/** An event does not take place: whoever was coming is told, and the entry leaves their calendars. */
export async function tellCanceled({ tenantId, workshopId, notify }: OfEvent & { notify: boolean }, now = new Date()) {
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
    if (!event?.canceled || event.finishedAt || (event.startAt && event.startAt <= now && sessionId)) continue
    sent += await tellAll(event, 'canceled', ['confirmed', 'pending', 'waitlisted'], now)
  }
  return sent
}

/** Writes a letter to all in these states, page by page; safe to run twice. They can be recalled for a minute. */
export async function tellAll(
  event: EventRow,
  kind: RegistrationLetter,
  states: readonly RegistrationState[],
  now: Date,
  more: Sending = {},
): Promise<number> {
  const { tenantId } = event
  const id = batchOf(event, kind)
  const batch = { id, sendAfter: new Date(now.getTime() + RECALL_SECONDS * 1000) }
  let after = '00000000-0000-0000-0000-000000000000'
  let sent = 0
  for (;;) {
    const rows = await inTenant({ tenantId }, async (tx) => {
      const page = await tx
        .select()
        .from(registration)
        .where(and(ofEvent(event), inArray(registration.state, [...states]), gt(registration.id, after)))
        .orderBy(asc(registration.id))
        .limit(PAGE)
      sent += await writeLetters(tx, event, page, kind, now, { ...more, batch })
      return page
    })
    const last = rows.at(-1)
    if (!last || rows.length < PAGE) return sent
    after = last.id
  }
}

// The same for every run of the same job: a UUID out of what the letters are about (RFC 9562, version 8).
function batchOf({ id, sessionId, scheduleVersion }: EventRow, kind: RegistrationLetter): string {
  const hex = createHash('sha256').update(`${id} ${sessionId} ${scheduleVersion} ${kind}`).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

async function tellWishes(tx: Tx, workshopId: string, now: Date): Promise<number> {
  const event = await findEvent(tx, workshopId, null)
  if (!event?.published || event.canceled || event.access === 'students' || event.access === 'paid') return 0
  if (event.startAt && event.startAt <= now) return 0
  const due = tx
    .select({ id: registrationWish.id })
    .from(registrationWish)
    .where(and(isNull(registrationWish.toldAt), sql`${registrationWish.workshopId} <> ${workshopId}`))
    .orderBy(asc(registrationWish.id))
    .limit(PAGE)
    .for('update', { skipLocked: true })
  const wishes = await tx
    .update(registrationWish)
    .set({ toldAt: now })
    .where(sql`${registrationWish.id} in (${due})`)
    .returning()
  for (const wish of wishes) await tellOfNext(event, wish)
  return wishes.length
}

async function tellOfNext(event: EventRow, wish: typeof registrationWish.$inferSelect): Promise<void> {
  const { locale, timeZone } = wish
  const t = translator(locale)
  const when = event.startAt ? whenWords(t, event.startAt, timeZone, locale) : ''
  const names = { title: event.title, school: event.school.name, when }
  const letter = composeLetter(t, {
    school: event.school.name,
    preheader: when || event.title,
    heading: event.title,
    paragraphs: [t('registration:letter.next.text', names), ...(when ? [when] : [])],
    button: {
      label: t('registration:letter.next.button'),
      href: addressOf(event.school.subdomain, `/workshops/register/${event.id}?locale=${locale}`),
    },
    footnote: t('registration:letter.next.footnote'),
  })
  const subject = t('registration:letter.next.subject', names)
  // Somebody may have asked at several events, or again after an answer: each event is told of once.
  const onceKey = `next/${event.id}/${digestOf(wish.email)}`
  await sendMail({ tenantId: event.tenantId, to: wish.email, locale, subject, letter, onceKey })
}
