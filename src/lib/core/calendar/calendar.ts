import ical, {
  type ICalAttendeeRole,
  type ICalAttendeeStatus,
  type ICalCalendarMethod,
  type ICalEventStatus,
} from 'ical-generator'
import { Temporal } from 'temporal-polyfill'
import { config } from '../config/config.ts'
import { formatVtimezone } from './vtimezone.ts'

export interface CalendarEntry {
  /** The same for all versions of one entry; `@` and our domain are added. */
  uid: string
  /** Rises with every change, so that programs take the newer one. */
  sequence: number
  startAt: Date
  durationMinutes: number
  /** IANA; the times are written in it. */
  timeZone: string
  title: string
  text: string
  /** Where it takes place: an address of ours. */
  href: string
  organizer: string
  /** Whose calendar it is for; without one nobody is invited. */
  attendee?: { name: string; email: string }
  /** When this version was made; now when absent. */
  stamp?: Date
}

/** REQUEST enters or changes an entry, CANCEL takes it away, PUBLISH is for whoever asked for the file. */
export type CalendarMethod = 'REQUEST' | 'CANCEL' | 'PUBLISH'

/** An iCalendar file (RFC 5545, 5546) with one event and the rules of its zone. */
export function formatCalendarFile(appointment: CalendarEntry, method: CalendarMethod): string {
  const { uid, sequence, startAt, timeZone, title, text, href, organizer, attendee } = appointment
  const calendar = ical({
    prodId: { company: 'Kafedra', product: 'Events' },
    method: method as ICalCalendarMethod,
    // No zone for the whole file: the stamp must stay in UTC.
    timezone: { name: null, generator: (zone) => formatVtimezone(zone, startAt) },
  })
  const start = toZonedTime(startAt, timeZone)
  const end = toZonedTime(endTimeOf(appointment), timeZone)
  // A time that occurs twice in the night when clocks go back names one of two instants: UTC names the right one.
  const zone = [start, end].some(isAmbiguousTime) ? null : timeZone
  calendar.createEvent({
    id: `${uid}@${config.baseDomain}`,
    sequence,
    stamp: appointment.stamp ?? new Date(),
    start,
    end,
    timezone: zone,
    summary: title,
    description: text,
    location: href,
    url: href,
    organizer: { name: organizer, email: organizerAddress() },
    status: (method === 'CANCEL' ? 'CANCELLED' : 'CONFIRMED') as ICalEventStatus,
    ...(attendee && {
      attendees: [
        {
          name: attendee.name || attendee.email,
          email: attendee.email,
          rsvp: false,
          role: 'REQ-PARTICIPANT' as ICalAttendeeRole,
          status: 'ACCEPTED' as ICalAttendeeStatus,
        },
      ],
    }),
  })
  return `${calendar.toString().replaceAll(/\r?\n/g, '\r\n')}\r\n`
}

type Entry = Pick<CalendarEntry, 'startAt' | 'durationMinutes' | 'title' | 'text' | 'href'>

/** An address at which Google Calendar offers the entry. */
export function googleCalendarUrl(entry: Entry & { timeZone: string }): string {
  const compact = (at: Date) => at.toISOString().replaceAll(/[-:]|\.\d{3}/g, '')
  const dates = `${compact(entry.startAt)}/${compact(endTimeOf(entry))}`
  const params = { action: 'TEMPLATE', text: entry.title, dates, ctz: entry.timeZone }
  const more = { details: entry.text, location: entry.href }
  return `https://calendar.google.com/calendar/render?${new URLSearchParams({ ...params, ...more })}`
}

/** The same for Outlook on the web. */
export function outlookCalendarUrl(entry: Entry): string {
  const times = { startdt: entry.startAt.toISOString(), enddt: endTimeOf(entry).toISOString() }
  const params = { path: '/calendar/action/compose', rru: 'addevent', subject: entry.title, ...times }
  const more = { body: entry.text, location: entry.href }
  return `https://outlook.live.com/calendar/0/deeplink/compose?${new URLSearchParams({ ...params, ...more })}`
}

const endTimeOf = ({ startAt, durationMinutes }: Pick<Entry, 'startAt' | 'durationMinutes'>): Date =>
  new Date(startAt.getTime() + durationMinutes * 60_000)

const toZonedTime = (at: Date, zone: string): Temporal.ZonedDateTime =>
  Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(zone)

function isAmbiguousTime(time: Temporal.ZonedDateTime): boolean {
  const local = time.toPlainDateTime()
  const [earlier, later] = (['earlier', 'later'] as const).map((disambiguation) =>
    local.toZonedDateTime(time.timeZoneId, { disambiguation }),
  )
  return earlier?.epochMilliseconds !== later?.epochMilliseconds
}

// `Name <address>` or an address alone.
function organizerAddress(): string {
  return /<([^<>]+)>/.exec(config.mailFrom)?.[1] ?? config.mailFrom
}
