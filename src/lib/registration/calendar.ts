import { eq } from 'drizzle-orm'
import {
  type CalendarMethod,
  formatCalendarFile,
  googleCalendarUrl,
  outlookCalendarUrl,
} from '#lib/core/calendar/calendar.ts'
import { addressOf } from '#lib/core/config/config.ts'
import { inTenant } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Attachment } from '#lib/core/mail/table.ts'
import type { Locale } from '#lib/core/shared/locale.ts'
import { UUID_PATTERN } from '#lib/core/shared/uuid.ts'
import { findEvent, type RegistrationEvent } from './event.ts'
import { digestKey } from './join-key.ts'
import { joinUrl } from './links.ts'
import { registration } from './table.ts'

interface CalendarRecipient {
  id: string
  name: string
  email: string
  key: string
  locale: Locale
  icsSequence: number
}

/**
 * Calendar attachment of one registration. Its UID never changes; its sequence number increases with the event's
 * schedule, its cancellation and changes of the registrant. Null while there is no time.
 */
export function buildCalendarAttachment(
  event: RegistrationEvent,
  recipient: CalendarRecipient,
  method: Exclude<CalendarMethod, 'PUBLISH'>,
  now: Date,
): Attachment | null {
  if (!event.startAt) return null
  const file = buildCalendarFile({ ...event, startAt: event.startAt }, recipient, method, now)
  const content = Buffer.from(file).toString('base64')
  return { filename: 'event.ics', type: 'text/calendar; charset=utf-8', content, method }
}

export interface CalendarLinks {
  google: string
  outlook: string
}

/** URLs that add the event to web calendars; null while it has no time. */
export function calendarLinks(event: RegistrationEvent, href: string): CalendarLinks | null {
  if (!event.startAt) return null
  const { title, timeZone, plannedMinutes: durationMinutes, startAt } = event
  const entry = { title, text: href, href, startAt, durationMinutes, timeZone }
  return { google: googleCalendarUrl(entry), outlook: outlookCalendarUrl(entry) }
}

/**
 * Calendar file: by personal key that of the registration, by event id that of the event. Refuses with not_found for
 * anything else, an unpublished event, and one without a time.
 */
export function readCalendarFile(
  tenantId: string,
  keyOrEventId: string,
  now = new Date(),
): Promise<{ text: string; method: CalendarMethod }> {
  return inTenant({ tenantId }, async (tx) => {
    if (UUID_PATTERN.test(keyOrEventId)) {
      const event = await findEvent(tx, keyOrEventId, null)
      if (!event?.isPublished || !event.startAt || event.isCanceled) throw new Refusal('not_found')
      const href = addressOf(event.school.subdomain, `/workshops/register/${event.id}`)
      const text = formatCalendarFile(
        { ...eventFields(event, event.startAt, now), uid: event.id, href, text: href },
        'PUBLISH',
      )
      return { text, method: 'PUBLISH' }
    }
    const [row] = await tx
      .select()
      .from(registration)
      .where(eq(registration.joinDigest, digestKey(keyOrEventId)))
    const event = row ? await findEvent(tx, row.workshopId, row.sessionId) : null
    if (!row || !event?.startAt || !event.isPublished) throw new Refusal('not_found')
    const isCanceled = event.isCanceled || row.state === 'canceled'
    const method = isCanceled ? 'CANCEL' : 'PUBLISH'
    return {
      text: buildCalendarFile({ ...event, startAt: event.startAt }, { ...row, key: keyOrEventId }, method, now),
      method,
    }
  })
}

function buildCalendarFile(
  event: RegistrationEvent & { startAt: Date },
  recipient: CalendarRecipient,
  method: CalendarMethod,
  now: Date,
): string {
  const href = joinUrl(event, recipient.key, recipient.locale)
  const attendee = { name: recipient.name, email: recipient.email }
  const more = { uid: recipient.id, href, text: href, sequence: calendarSequence(event, recipient), attendee }
  return formatCalendarFile({ ...eventFields(event, event.startAt, now), ...more }, method)
}

const eventFields = (event: RegistrationEvent, startAt: Date, now: Date) => ({
  startAt,
  durationMinutes: event.plannedMinutes,
  timeZone: event.timeZone,
  title: event.title,
  organizer: event.school.name,
  sequence: event.scheduleVersion - 1,
  stamp: now,
})

function calendarSequence(event: RegistrationEvent, { icsSequence }: CalendarRecipient): number {
  return event.scheduleVersion - 1 + (event.isCanceled ? 1 : 0) + icsSequence
}
