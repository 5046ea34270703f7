import ical, {
  type ICalAttendeeRole,
  type ICalAttendeeStatus,
  type ICalCalendar,
  type ICalCalendarMethod,
  type ICalEventStatus,
} from 'ical-generator'
import { Temporal } from 'temporal-polyfill'
import { config } from '../config/config.ts'
import { MINUTE_MS } from '../shared/time.ts'
import { formatVtimezone } from './vtimezone.ts'

export interface CalendarEntry {
  /** The same for all versions of one entry; `@` and the base domain are appended. */
  uid: string
  /** Increases with every change, so that calendar programs use the newest version. */
  sequence: number
  startAt: Date
  /** 0: a moment without an end. */
  durationMinutes: number
  /** IANA name of the zone in which the times are written. */
  timeZone: string
  title: string
  text: string
  /** URL of the page of the event. */
  href: string
  organizer: string
  /** The person whose calendar the entry is sent to; without an attendee nobody is invited. */
  attendee?: { name: string; email: string }
  /** When this version was created; the current time by default. */
  stamp?: Date
}

/** REQUEST adds or updates an entry, CANCEL removes it, PUBLISH is for a person who downloads the file. */
export type CalendarMethod = 'REQUEST' | 'CANCEL' | 'PUBLISH'

/** An iCalendar file (RFC 5545, 5546) with one event and the VTIMEZONE of its zone. */
export function formatCalendarFile(appointment: CalendarEntry, method: CalendarMethod): string {
  const calendar = ical({
    prodId: { company: 'Kafedra', product: 'Events' },
    method: method as ICalCalendarMethod,
    // Without a zone for the whole file, because the timestamp has to stay in UTC.
    timezone: { name: null, generator: (zone) => formatVtimezone(zone, appointment.startAt) },
  })
  addEntry(calendar, appointment, method === 'CANCEL')
  return withLineEnds(calendar)
}

export interface CalendarFeed {
  name: string
  /** Seconds after which calendar programs should read the feed again. */
  refreshSeconds: number
  entries: readonly (CalendarEntry & { isCanceled: boolean })[]
}

/** An iCalendar file to subscribe to, with many events and the VTIMEZONEs around `at`. */
export function formatCalendarFeed({ name, refreshSeconds, entries }: CalendarFeed, at: Date): string {
  const calendar = ical({
    name,
    prodId: { company: 'Kafedra', product: 'Schedule' },
    method: 'PUBLISH' as ICalCalendarMethod,
    ttl: refreshSeconds,
    timezone: { name: null, generator: (zone) => formatVtimezone(zone, at) },
  })
  for (const entry of entries) addEntry(calendar, entry, entry.isCanceled)
  return withLineEnds(calendar)
}

function addEntry(calendar: ICalCalendar, appointment: CalendarEntry, isCanceled: boolean): void {
  const { uid, sequence, startAt, timeZone, title, text, href, organizer, attendee } = appointment
  const start = toZonedTime(startAt, timeZone)
  const end = appointment.durationMinutes > 0 ? toZonedTime(endTimeOf(appointment), timeZone) : null
  // A local time that occurs twice when clocks go back is ambiguous, therefore it is written in UTC.
  const zone = [start, ...(end ? [end] : [])].some(isAmbiguousTime) ? null : timeZone
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
    status: (isCanceled ? 'CANCELLED' : 'CONFIRMED') as ICalEventStatus,
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
}

const withLineEnds = (calendar: ICalCalendar): string => `${calendar.toString().replaceAll(/\r?\n/g, '\r\n')}\r\n`

type Entry = Pick<CalendarEntry, 'startAt' | 'durationMinutes' | 'title' | 'text' | 'href'>

/** A URL at which Google Calendar offers to add the entry. */
export function googleCalendarUrl(entry: Entry & { timeZone: string }): string {
  const compact = (at: Date) => at.toISOString().replaceAll(/[-:]|\.\d{3}/g, '')
  const dates = `${compact(entry.startAt)}/${compact(endTimeOf(entry))}`
  const params = { action: 'TEMPLATE', text: entry.title, dates, ctz: entry.timeZone }
  const more = { details: entry.text, location: entry.href }
  return `https://calendar.google.com/calendar/render?${new URLSearchParams({ ...params, ...more })}`
}

/** A URL at which Outlook on the web offers to add the entry. */
export function outlookCalendarUrl(entry: Entry): string {
  const times = { startdt: entry.startAt.toISOString(), enddt: endTimeOf(entry).toISOString() }
  const params = { path: '/calendar/action/compose', rru: 'addevent', subject: entry.title, ...times }
  const more = { body: entry.text, location: entry.href }
  return `https://outlook.live.com/calendar/0/deeplink/compose?${new URLSearchParams({ ...params, ...more })}`
}

const endTimeOf = ({ startAt, durationMinutes }: Pick<Entry, 'startAt' | 'durationMinutes'>): Date =>
  new Date(startAt.getTime() + durationMinutes * MINUTE_MS)

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
