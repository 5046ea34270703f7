import { eq } from 'drizzle-orm'
import { calendarFile, googleLink, type Method, outlookLink } from '#lib/core/calendar/calendar.ts'
import { addressOf } from '#lib/core/config/config.ts'
import { inTenant } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Attachment } from '#lib/core/mail/table.ts'
import type { Locale } from '#lib/core/shared/locale.ts'
import { entryAddress } from './address.ts'
import { type EventRow, findEvent } from './event.ts'
import { digestOf } from './key.ts'
import { registration } from './table.ts'

interface Invited {
  id: string
  name: string
  email: string
  key: string
  locale: Locale
  icsSequence: number
}

/**
 * The calendar entry of one registration. Its name never changes; its number rises with the event's schedule, with the
 * event's end by cancellation and with what the registrant does. Null while there is no time.
 */
export function calendarOf(
  event: EventRow,
  to: Invited,
  method: Exclude<Method, 'PUBLISH'>,
  now: Date,
): Attachment | null {
  if (!event.startAt) return null
  const file = fileOf({ ...event, startAt: event.startAt }, to, method, now)
  const content = Buffer.from(file).toString('base64')
  return { filename: 'event.ics', type: 'text/calendar; charset=utf-8', content, method }
}

export interface EntryLinks {
  google: string
  outlook: string
}

/** Addresses at which calendars on the web offer the event; null while it has no time. */
export function entryLinks(event: EventRow, href: string): EntryLinks | null {
  if (!event.startAt) return null
  const { title, timeZone, plannedMinutes: minutes, startAt } = event
  const entry = { title, text: href, href, startAt, minutes, timeZone }
  return { google: googleLink(entry), outlook: outlookLink(entry) }
}

/**
 * A calendar file for whoever asks: by a personal key that registration's entry, by an event's id the event itself.
 * Refuses with not_found for anything else, an event that nobody may see yet, and one without a time.
 */
export function openCalendar(
  tenantId: string,
  asked: string,
  now = new Date(),
): Promise<{ text: string; method: Method }> {
  return inTenant({ tenantId }, async (tx) => {
    if (UUID.test(asked)) {
      const event = await findEvent(tx, asked, null)
      if (!event?.published || !event.startAt || event.canceled) throw new Refusal('not_found')
      const href = addressOf(event.school.subdomain, `/workshops/register/${event.id}`)
      const text = calendarFile({ ...common(event, event.startAt, now), uid: event.id, href, text: href }, 'PUBLISH')
      return { text, method: 'PUBLISH' }
    }
    const [found] = await tx
      .select()
      .from(registration)
      .where(eq(registration.joinDigest, digestOf(asked)))
    const event = found ? await findEvent(tx, found.workshopId, found.sessionId) : null
    if (!found || !event?.startAt || !event.published) throw new Refusal('not_found')
    const off = event.canceled || found.state === 'canceled'
    const method = off ? 'CANCEL' : 'PUBLISH'
    return { text: fileOf({ ...event, startAt: event.startAt }, { ...found, key: asked }, method, now), method }
  })
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

function fileOf(event: EventRow & { startAt: Date }, to: Invited, method: Method, now: Date): string {
  const href = entryAddress(event, to.key, to.locale)
  const attendee = { name: to.name, email: to.email }
  const more = { uid: to.id, href, text: href, sequence: sequenceOf(event, to), attendee }
  return calendarFile({ ...common(event, event.startAt, now), ...more }, method)
}

const common = (event: EventRow, startAt: Date, now: Date) => ({
  startAt,
  minutes: event.plannedMinutes,
  timeZone: event.timeZone,
  title: event.title,
  organizer: event.school.name,
  sequence: event.scheduleVersion - 1,
  stamp: now,
})

function sequenceOf(event: EventRow, { icsSequence }: Invited): number {
  return event.scheduleVersion - 1 + (event.canceled ? 1 : 0) + icsSequence
}
